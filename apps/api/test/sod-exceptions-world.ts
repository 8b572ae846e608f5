import { expect } from 'vitest';
import { openTestApi, type TestAnswer, type TestApi, WORLD } from './test-api.ts';

export const EXCEPTIONS = '/sod-exceptions/v1';
export const START = '2026-11-21T00:00:00.000Z';
export const END = '2026-12-21T00:00:00.000Z';

/** The exception that tests request by default. */
export const ASKED = {
  policyId: 'p-1',
  identityId: 'i-cleo',
  start: START,
  end: END,
  justification: 'Covers for a colleague until the year is closed.',
};

const held = (...ids: readonly string[]) => ids.map((id) => ({ type: 'ENTITLEMENT', id }));

/** A new identity, or a new version of an existing one, with this access. */
export const holder = (id: string, ...ids: readonly string[]) => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-emp',
  access: held(...ids),
});

/** Cleo with and without a conflict. */
export const GUILTY = holder('i-cleo', 'e-vendor', 'e-pay');
export const INNOCENT = holder('i-cleo', 'e-vendor');

export type ExceptionWorld = Awaited<ReturnType<typeof openExceptions>>;

/** Stores which exceptions are void, as each round of the register does. */
export async function voidExceptions({ store, clock }: Pick<TestApi, 'store' | 'clock'>): Promise<void> {
  await using source = await store.register.openSource('default');
  await store.register.voidExceptions('default', source, new Date(clock.nowMs).toISOString());
}

/** The shared world with Cleo in conflict, and calls as Ada, Bob (`ORG_ADMIN`) and Hal (`POLICY_ADMIN`). */
export async function openExceptions(engine?: 'sqlite' | 'postgres') {
  return exceptionsOf(await openTestApi({}, engine));
}

export async function exceptionsOf(api: TestApi) {
  expect((await api.importRecords([...WORLD, GUILTY])).status).toBe(200);
  const ada = await api.clientToken({ identityId: 'i-ada' });
  const bob = await api.clientToken({ identityId: 'i-bob' });
  const hal = await api.clientToken({ identityId: 'i-hal' });
  const ask = (asked: object = {}, token = ada): Promise<TestAnswer> =>
    api.call('POST', EXCEPTIONS, { token, body: { ...ASKED, ...asked } });
  const move = (
    id: string,
    what: 'approve' | 'revoke',
    token = hal,
    headers: Record<string, string> = {},
    body: object = {},
  ) => api.call('POST', `${EXCEPTIONS}/${id}/${what}`, { token, body, headers });
  /** Approves what the approver has read just before. */
  const approveSeen = async (id: string, token = hal) => {
    const etag = (await get(id, token)).headers.get('etag') ?? '';
    return move(id, 'approve', token, { 'if-match': etag });
  };
  const get = (id: string, token = ada) => api.call('GET', `${EXCEPTIONS}/${id}`, { token });
  const list = (filters: string | null = null, more = '', token = ada) =>
    api.call('GET', `${EXCEPTIONS}?${filters === null ? '' : `filters=${encodeURIComponent(filters)}`}${more}`, {
      token,
    });
  /** An exception that Ada has requested and Hal has approved. */
  const approved = async (asked: object = {}): Promise<string> => {
    const { status, json } = await ask(asked);
    expect([status, json]).toEqual([201, json]);
    expect((await move(json.id, 'approve')).status).toBe(200);
    return json.id;
  };
  const stateOf = async (id: string): Promise<string> => (await get(id)).json.state;
  return { api, ada, bob, hal, ask, move, approveSeen, get, list, approved, stateOf };
}

/** Status, detail code, and the texts of the causes. */
export const refusalOf = ({ status, json }: TestAnswer) => [
  status,
  json?.detailCode,
  ...(json?.causes ?? []).map(({ text }: { readonly text: string }) => text),
];
