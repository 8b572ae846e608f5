import { describe, expect, test } from 'vitest';
import { parseNetworks } from '../../src/http/client-address.ts';
import { createHeldDerivation } from '../held-derivation.ts';
import { openOwnSigner } from '../sign-own-token.ts';
import { openTestApi, type TestAnswer } from '../test-api.ts';

const WRONG = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' };
/** Half of the threads that the platform has for checking secrets and verifying tokens. */
const AT_ONCE_MAX = 2;

test('a flood of token requests with wrong secrets delays neither a known nor a new token', async () => {
  const { deriveKey, running, hold, release } = createHeldDerivation();
  const api = await openTestApi({ deriveKey });
  const { sign } = await openOwnSigner(api);
  hold();
  let answered = 0;
  const flood = Array.from({ length: 64 }, async () => {
    const { status } = await api.requestToken(WRONG);
    answered += 1;
    return status;
  });
  await expect.poll(() => running.now).toBe(AT_ONCE_MAX);
  // No secret is checked before `release`: a call that waited for one would never be answered.
  const token = await sign();
  for (const _ of ['new', 'known']) expect((await api.call('GET', '/oauth-clients/v1', { token })).status).toBe(200);
  expect(answered).toBe(0);
  release();
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
  expect(running.most).toBe(AT_ONCE_MAX);
});

test('when five hundred secrets wait to be verified, further token requests get 503 with Retry-After and one log line', async () => {
  const { deriveKey, hold, release } = createHeldDerivation();
  const api = await openTestApi({ deriveKey });
  hold();
  const places = AT_ONCE_MAX + 500;
  const before = api.lines.length;
  const refused: TestAnswer[] = [];
  const flood = Array.from({ length: 2 * places }, async () => {
    const answer = await api.requestToken(WRONG);
    if (answer.status === 503) refused.push(answer);
    return answer.status;
  });
  await expect.poll(() => refused.length).toBe(places);
  release();
  expect((await Promise.all(flood)).filter((status) => status === 401)).toHaveLength(places);
  expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
  const lines = api.lines.slice(before).map(({ message, fields: { status, reason } }) => [message, status, reason]);
  expect(lines).toHaveLength(2 * places);
  expect(lines.filter(([, status]) => status === 503)).toEqual(
    refused.map(() => ['request', 503, '500 secrets wait to be hashed or verified']),
  );
  expect((await api.requestToken(WRONG)).status).toBe(401);
});

describe('a flood of token requests from one address', () => {
  const REFUSED = 600 - AT_ONCE_MAX - 500;
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const LEGITIMATE = { grant_type: 'client_credentials', client_id: 'root', client_secret: 'root secret%' };

  async function openFlooded() {
    const derivation = createHeldDerivation();
    const api = await openTestApi({ deriveKey: derivation.deriveKey, trustedProxies: parseNetworks('127.0.0.1') });
    derivation.hold();
    const statuses: number[] = [];
    const flood = Array.from({ length: 600 }, async (_, at) => {
      const { status } = await api.requestToken({ ...WRONG, client_id: `nobody-${at}` }, from('198.51.100.1'));
      statuses.push(status);
    });
    await expect.poll(() => statuses.length).toBe(REFUSED);
    return { ...derivation, api, statuses, flood };
  }

  test('refuses no other address a token, and lets it wait for one of its own at most', async () => {
    const { api, release, flood, statuses, secrets } = await openFlooded();
    const legitimate = Array.from({ length: 34 }, (_, at) => api.requestToken(LEGITIMATE, from(`203.0.113.${at}`)));
    // Each takes the place of a request of the flood, which is refused for it.
    await expect.poll(() => statuses.length).toBe(REFUSED + 34);
    release();
    expect(new Set((await Promise.all(legitimate)).map(({ status }) => status))).toEqual(new Set([200]));
    // The first derivation of all is that of the bootstrap client.
    expect(secrets.lastIndexOf(LEGITIMATE.client_secret)).toBeLessThanOrEqual(1 + AT_ONCE_MAX + 1 + 34);
    await Promise.all(flood);
    expect(statuses.filter((status) => status === 503)).toHaveLength(REFUSED + 34);
  });

  test('does not hold up a client of the same address whose secret was verified before', async () => {
    const derivation = createHeldDerivation();
    const api = await openTestApi({ deriveKey: derivation.deriveKey });
    expect((await api.requestToken(LEGITIMATE)).status).toBe(200);
    derivation.hold();
    const flood = Array.from({ length: 40 }, () => api.requestToken(WRONG));
    await expect.poll(() => derivation.running.now).toBe(AT_ONCE_MAX);
    expect((await api.requestToken(LEGITIMATE)).status).toBe(200);
    derivation.release();
    await Promise.all(flood);
  });

  test('cannot pretend to come from other addresses without a trusted proxy', async () => {
    const derivation = createHeldDerivation();
    const api = await openTestApi({ deriveKey: derivation.deriveKey });
    derivation.hold();
    let refused = 0;
    const flood = Array.from({ length: 600 }, async (_, at) => {
      const { status } = await api.requestToken(WRONG, from(`198.51.${at % 200}.${at % 100}`));
      if (status === 503) refused += 1;
    });
    await expect.poll(() => refused).toBe(REFUSED);
    // By its client id it is served next in the one line of the address, so it is not refused.
    const legitimate = api.requestToken(LEGITIMATE, from('203.0.113.1'));
    await expect.poll(() => refused).toBe(REFUSED + 1);
    derivation.release();
    expect((await legitimate).status).toBe(200);
    await Promise.all(flood);
  });
});

test.each([
  ['a percent sign', 'root', '100%', 1],
  ['an escape', 'ro%6ft', 'wr%6fng', 2],
  ['an escape, of a client that is there,', 'root', 'wr%6fng', 2],
  ['a plus', 'root', 'a+b', 2],
  ['all of them', 'r%oot+', '%41+%', 1],
])('a token request whose credentials have %s costs a derivation for each reading and one log line', async (...row) => {
  const [, id, secret, readings] = row;
  const { deriveKey, running } = createHeldDerivation();
  const api = await openTestApi({ deriveKey });
  const before = running.all;
  const linesBefore = api.lines.length;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  expect((await api.requestToken({ grant_type: 'client_credentials' }, { authorization })).status).toBe(401);
  expect(running.all - before).toBe(readings);
  expect(api.lines.slice(linesBefore).map(({ message }) => message)).toEqual(['request']);
});
