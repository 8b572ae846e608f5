import { concludeWithError } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const BATCH = '/sod-violations/v1/predict/batch';
const CHECK = '/sod-violations/v1/check';

// The clock of the test API says 2026-11-21T09:30:00.000Z.
const day = (number: number) => new Date(Date.parse('2027-01-01T00:00:00.000Z') + number * 86_400_000).toISOString();
const hold = (id: string, first: number) => ({ type: 'ENTITLEMENT', id, start: day(first), end: day(first + 1) });
const identity = (id: string, access: readonly object[]) => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip',
  access,
});

/** So many windows, one after the other, with one instant more than windows. */
const windows = (count: number, id = 'e-a') => Array.from({ length: count }, (_, at) => hold(id, at));

async function openWorld(): Promise<TestApi> {
  const api = await openTestApi();
  const side = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT', id }] });
  const imported = await api.importRecords([
    ...['e-a', 'e-b'].map((id) => ({ kind: 'entitlement', id, name: id })),
    { kind: 'identityProfile', id: 'ip', name: 'IP' },
    identity('i-none', []),
    identity('i-1', windows(1_000)),
    {
      kind: 'sodPolicy',
      id: 'p',
      name: 'P',
      conflictingAccessCriteria: { leftCriteria: side('e-a'), rightCriteria: side('e-b') },
    },
  ]);
  if (imported.status !== 200) throw new Error(imported.text);
  return api;
}

const TOO_MANY = { status: 400, detailCode: '400.1.4' };

describe('an answer with include', () => {
  test('explains 64 instants, and refuses more, naming what to drop', async () => {
    const api = await openWorld();
    const ask = async (path: string, body: object) => {
      const { status, json } = await api.call('POST', path, { body });
      return { status, detailCode: json.detailCode, text: json.causes?.[0].text };
    };
    for (const path of [PREDICT, CHECK])
      for (const include of ['via', 'remediation', 'via,remediation']) {
        const query = `${path}?include=${include}`;
        const few = { identityId: 'i-none', accessRefs: windows(63) };
        const many = { identityId: 'i-none', accessRefs: windows(64) };
        const held = { identityId: 'i-1', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-b' }] };
        expect((await ask(query, few)).status).toBe(path === CHECK ? 202 : 200);
        for (const body of [many, held]) {
          const { text, ...answer } = await ask(query, body);
          expect(answer).toEqual(TOO_MANY);
          expect(text).toContain(`drop ${include.replace(',', ' and ')}, or`);
          expect((await ask(path, body)).status).toBe(path === CHECK ? 202 : 200);
          expect((await ask(query, { ...body, at: day(5) })).status).toBe(path === CHECK ? 202 : 200);
        }
        // What does not exist is told first.
        const gone = { identityId: 'i-none', accessRefs: windows(500, 'e-gone') };
        expect((await ask(query, gone)).detailCode).toBe('400.1.404');
      }
  });

  test('refuses a line of a batch for itself', async () => {
    const api = await openWorld();
    const lines = [63, 64, 1].map((count) => JSON.stringify({ identityId: 'i-none', accessRefs: windows(count) }));
    const body = lines.join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    const { text } = await api.call('POST', `${BATCH}?include=remediation`, { body, headers });
    const answers = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200]);
    expect(answers[1].body.detailCode).toBe('400.1.4');
  });

  test('an accepted check is not refused again under its key when the access of the identity has changed', async () => {
    const api = await openWorld();
    const body = { identityId: 'i-none', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-b' }] };
    const headers = { 'idempotency-key': 'one' };
    const first = await api.call('POST', `${CHECK}?include=via`, { body, headers });
    expect(first.status).toBe(202);
    await api.importRecords([identity('i-none', windows(100))]);
    expect((await api.call('POST', `${CHECK}?include=via`, { body, headers })).json).toEqual(first.json);
    expect((await api.call('POST', `${CHECK}?include=via`, { body })).status).toBe(400);
  });
});

test('an import with an identity of more than 1,000 windows is refused, and names its line', async () => {
  const api = await openWorld();
  const always = Array.from({ length: 50 }, () => ({ type: 'ENTITLEMENT', id: 'e-b' }));
  const refused = await api.importRecords([
    identity('i-2', [...windows(1_000), ...always]),
    identity('i-3', [...windows(1_000), { type: 'ENTITLEMENT', id: 'e-b', end: day(3) }]),
  ]);
  expect({ status: refused.status, detailCode: refused.json.detailCode }).toEqual(TOO_MANY);
  expect(refused.json.causes[0].text).toMatch(/^line 2\b.*access.*at most 1000 assignments with a window/);
  expect((await api.importRecords([identity('i-2', [...windows(1_000), ...always])])).status).toBe(200);
});

test('a large result of a check is sent as it is stored, in pieces', async () => {
  const api = await openWorld();
  const { requestId } = (await api.call('POST', CHECK, { body: { identityId: 'i-none', accessRefs: [] } })).json;
  const [claim] = await api.store.checks.claim({ nowMs: api.clock.nowMs, leaseMs: 1_000, limit: 1 });
  if (claim === undefined) throw new Error('nothing to claim');
  const { result } = concludeWithError({ clientMetadata: { text: '😀é"'.repeat(1_000_000) } }, 'large');
  const completed = new Date(api.clock.nowMs).toISOString();
  await api.store.checks.complete([{ ...claim, completed, state: 'ERROR', result }]);
  for (const headers of [{}, { prefer: 'wait=1' }]) {
    const { text, status } = await api.call('GET', `${CHECK}/${requestId}`, { headers });
    expect(status).toBe(200);
    expect(text.endsWith(`,"violationCheckResult":${result}}`)).toBe(true);
  }
});
