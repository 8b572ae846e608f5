import { describe, expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const BATCH = `${PREDICT}/batch`;
const grant = (id: string, identityId = 'i-cleo') => ({ identityId, accessRefs: [{ type: 'ENTITLEMENT', id }] });

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const send = (body: string, token?: string) =>
    api.call('POST', BATCH, {
      body,
      headers: { 'content-type': 'application/x-ndjson' },
      ...(token === undefined ? {} : { token }),
    });
  const linesOf = ({ text }: { text: string }) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { ...api, send, linesOf };
}

describe('a batch of predictions', () => {
  test('answers each request as a single call does, in order', async () => {
    const { call, send, linesOf } = await openWorld();
    const requests = [
      JSON.stringify(grant('e-pay')),
      JSON.stringify(grant('e-none')),
      '{"identityId":',
      JSON.stringify(grant('e-report')),
      JSON.stringify(grant('e-pay', 'i-none')),
      JSON.stringify({ ...grant('e-pay'), tenant: 'x' }),
      JSON.stringify({ identityId: 'i-cleo' }),
      ` ${JSON.stringify(grant('e-pay'))}\r`,
      JSON.stringify({ ...grant('e-pay'), clientMetadata: { a: 'x'.repeat(300_000) } }),
    ];
    const answer = await send(requests.join('\n'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = linesOf(answer);
    expect(lines.map(({ index, status }) => [index, status])).toEqual([
      [0, 200],
      [1, 400],
      [2, 400],
      [3, 200],
      [4, 404],
      [5, 400],
      [6, 400],
      [7, 200],
      [8, 413],
    ]);
    for (const { index, status, body } of lines) {
      const single = await call('POST', PREDICT, { body: requests[index] });
      const { trackingId } = body;
      const said = JSON.parse(JSON.stringify(single.json).replaceAll(single.json.trackingId, trackingId));
      expect([index, status, body]).toEqual([index, single.status, said]);
    }
    expect(new Set(lines.flatMap(({ body }) => body.trackingId ?? []))).toEqual(
      new Set([answer.headers.get('x-request-id')]),
    );
  });

  test('accepts the includes of a single call', async () => {
    const { call, linesOf } = await openWorld();
    const requests = [grant('e-pay'), grant('e-none'), grant('e-report')].map((request) => JSON.stringify(request));
    const ask = (include: string) =>
      call('POST', `${BATCH}?include=${include}`, {
        body: requests.join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
      });
    for (const include of ['via', 'remediation', 'via,remediation']) {
      const lines = linesOf(await ask(include));
      expect(lines.map(({ status }) => status)).toEqual([200, 400, 200]);
      for (const { index, body } of lines.filter(({ status }) => status === 200)) {
        const single = await call('POST', `${PREDICT}?include=${include}`, { body: requests[index] });
        expect(body).toEqual(single.json);
        expect('remediation' in body).toBe(include.includes('remediation'));
      }
    }
    const refused = await ask('reasons');
    expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.3']);
  });

  test('accepts at most 1,000 requests, besides blank lines', async () => {
    const { send, linesOf } = await openWorld();
    const requests = Array.from({ length: 1_000 }, () => JSON.stringify(grant('e-pay')));
    const lines = linesOf(await send(`${requests.join('\n\n')}\n`));
    expect(lines.map(({ index }) => index)).toEqual(requests.map((_, index) => index));
    expect(new Set(lines.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const refused = await send([...requests, requests[0]].join('\n'));
    expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.4']);
    expect((await send('')).text).toBe('');
    expect((await send(' '.repeat(4 * 2 ** 20))).status).toBe(200);
    expect((await send(' '.repeat(4 * 2 ** 20 + 1))).status).toBe(413);
  });

  test('needs the rights of a prediction', async () => {
    const { send, clientToken } = await openWorld();
    expect((await send('{}', await clientToken({ scopes: ['auth-users:read'] }))).status).toBe(403);
    expect((await send('{}', await clientToken({ identityId: 'i-cleo' }))).status).toBe(403);
    expect((await send(JSON.stringify(grant('e-pay')), await clientToken({ identityId: 'i-hal' }))).status).toBe(200);
  });
});
