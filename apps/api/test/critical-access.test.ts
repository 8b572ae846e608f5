import { describe, expect, test } from 'vitest';
import { exceptionsOf, holder, refusalOf } from './sod-exceptions-world.ts';
import { openTestApi, type TestAnswer, type TestApi, WORLD } from './test-api.ts';

const POLICIES = '/sod-policies/v1';
const PREDICT = '/sod-violations/v1/predict';
const CRITERIA = '/conflictingAccessCriteria';

const item = (id: string) => ({ type: 'ENTITLEMENT', id });
const side = (...ids: readonly string[]) => ({ name: 'root', criteriaList: ids.map(item) });
const critical = (criteria: object = { criteria: [side('e-root', 'e-keys')] }) => ({
  id: 'p-root',
  name: 'Root access',
  level: 'CRITICAL',
  correctionAdvice: 'Revoke it.',
  conflictingAccessCriteria: criteria,
});

/** The shared world, and three entitlements: Cleo has two of them through an access profile of a role. */
async function openWorld(): Promise<TestApi> {
  const api = await openTestApi();
  const records = [
    ...WORLD,
    ...['e-root', 'e-keys', 'e-mail'].map((id) => ({ kind: 'entitlement', id, name: `The ${id}` })),
    { kind: 'accessProfile', id: 'ap-root', name: 'Administration', entitlements: ['e-root', 'e-mail'] },
    { kind: 'role', id: 'r-admin', name: 'Administrator', accessProfiles: ['ap-root'] },
    { ...holder('i-eve'), access: [{ type: 'ROLE', id: 'r-admin' }] },
  ];
  expect((await api.importRecords(records)).status).toBe(200);
  return api;
}

const shown = (...items: readonly (readonly [id: string, existing: boolean])[]) => ({
  criteria: [
    { name: 'root', criteriaList: items.map(([id, existing]) => ({ ...item(id), name: `The ${id}`, existing })) },
  ],
  atLeast: 1,
});
const contextOf = (preexisting: boolean, conflictingAccessCriteria: object) => ({
  policy: { type: 'SOD_POLICY', id: 'p-root', name: 'Root access', level: 'CRITICAL' },
  preexisting,
  conflictingAccessCriteria,
});

/** The detail code, and the place in the policy that each cause names. */
const refusal = (answer: TestAnswer) =>
  refusalOf(answer)
    .slice(1)
    .map((part) => String(part).split(/[: ]/)[0]?.replace('conflictingAccessCriteria.', ''));

describe('a policy with one side', () => {
  test('is shown with `atLeast` 1, given or not, by every operation on policies', async () => {
    const api = await openWorld();
    const created = await api.call('POST', POLICIES, { body: critical() });
    expect(created.status).toBe(201);
    const named = [
      { name: 'root', criteriaList: ['e-root', 'e-keys'].map((id) => ({ ...item(id), name: `The ${id}` })) },
    ];
    expect(created.json.conflictingAccessCriteria).toEqual({ criteria: named, atLeast: 1 });
    const etag = created.headers.get('etag');
    for (const given of [{ criteria: [side('e-root', 'e-keys')], atLeast: 1 }, { criteria: named }]) {
      const put = await api.call('PUT', `${POLICIES}/p-root`, { body: critical(given) });
      expect([put.status, put.headers.get('etag')]).toEqual([200, etag]);
    }
    const patched = await api.call('PATCH', `${POLICIES}/p-root`, {
      body: [{ op: 'remove', path: `${CRITERIA}/atLeast` }],
    });
    expect([patched.status, patched.text]).toEqual([200, created.text]);
    expect((await api.call('GET', `${POLICIES}/p-root`)).text).toBe(created.text);
    const filters = encodeURIComponent('level eq "CRITICAL"');
    const listed = await api.call('GET', `${POLICIES}?filters=${filters}&sorters=-id`);
    expect(listed.json[0]).toEqual(created.json);
    const history = await api.call('GET', `${POLICIES}/p-root/history`);
    expect(history.json).toHaveLength(1);
  });

  test('becomes one with two sides by a patch, and back', async () => {
    const api = await openWorld();
    await api.call('POST', POLICIES, { body: critical() });
    const patch = (body: readonly object[]) => api.call('PATCH', `${POLICIES}/p-root`, { body });
    const add = { op: 'add', path: `${CRITERIA}/criteria/-`, value: side('e-mail') };
    expect(refusal(await patch([add]))).toEqual(['400.1.3', 'atLeast']);
    const two = await patch([add, { op: 'replace', path: `${CRITERIA}/atLeast`, value: 2 }]);
    expect([two.status, two.json.conflictingAccessCriteria.atLeast]).toEqual([200, 2]);
    const remove = { op: 'remove', path: `${CRITERIA}/criteria/1` };
    expect(refusal(await patch([remove]))).toEqual(['400.1.3', 'atLeast']);
    const one = await patch([remove, { op: 'remove', path: `${CRITERIA}/atLeast` }]);
    expect([one.status, one.json.conflictingAccessCriteria.atLeast]).toEqual([200, 1]);
  });

  test.each<[string, object, readonly unknown[]]>([
    ['atLeast 2', { criteria: [side('e-root')], atLeast: 2 }, ['400.1.3', 'atLeast']],
    ['atLeast 0', { criteria: [side('e-root')], atLeast: 0 }, ['400.1.3', 'atLeast']],
    ['null', { criteria: [side('e-root')], atLeast: null }, ['400.1.3', 'atLeast']],
    ['no item', { criteria: [side()] }, ['400.1.0', 'criteria[0].criteriaList']],
    ['an item twice', { criteria: [side('e-root', 'e-root')] }, ['400.1.3', 'criteria[0].criteriaList[1].id']],
    ['an unknown item', { criteria: [side('e-none')] }, ['400.1.404', 'criteria[0].criteriaList[0].id']],
    ['a property too many', { criteria: [side('e-root')], atMost: 1 }, ['400.1', 'atMost']],
    ['two sides without a number', { criteria: [side('e-root'), side('e-keys')] }, ['400.1.0', 'atLeast']],
    ['two sides and atLeast 1', { criteria: [side('e-root'), side('e-keys')], atLeast: 1 }, ['400.1.3', 'atLeast']],
  ])('is refused with %s', async (_, criteria, expected) => {
    const api = await openWorld();
    expect(refusal(await api.call('POST', POLICIES, { body: critical(criteria) }))).toEqual(expected);
  });

  test('travels by export and import', async () => {
    const api = await openWorld();
    await api.call('POST', POLICIES, { body: critical() });
    const lines = (await api.call('GET', '/access-model/v1/export')).text.trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line));
    const { conflictingAccessCriteria } = records.find(({ id }) => id === 'p-root');
    expect(conflictingAccessCriteria.atLeast).toBe(1);
    const other = await api.clientToken({ tenant: 'other' });
    expect((await api.importRecords(records, other)).status).toBe(200);
    const again = await api.call('GET', '/access-model/v1/export', { token: other });
    expect(again.text.trimEnd().split('\n')).toEqual(lines);
    const { atLeast: _, ...without } = conflictingAccessCriteria;
    const policy = records.find(({ id }) => id === 'p-root');
    const same = await api.importRecords([{ ...policy, conflictingAccessCriteria: without }], other);
    expect(same.json.counts.sodPolicy).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 });
  });
});

describe('critical access', () => {
  async function openCritical() {
    const api = await openWorld();
    expect((await api.call('POST', POLICIES, { body: critical() })).status).toBe(201);
    const ask = async (identityId: string, accessRefs: readonly object[], rest: object = {}, query = '') => {
      const answer = await api.call('POST', `${PREDICT}${query}`, { body: { identityId, accessRefs, ...rest } });
      return answer.json;
    };
    return { api, ask };
  }

  test('is a violation by any item that is gained', async () => {
    const { ask } = await openCritical();
    expect((await ask('i-cleo', [item('e-keys'), item('e-keys')])).violationContexts).toEqual([
      contextOf(false, shown(['e-keys', false])),
    ]);
    expect((await ask('i-cleo', [item('e-mail')])).violationContexts).toEqual([]);
  });

  test('is deepened by another item, and not by one that is held, also through a role', async () => {
    const { ask } = await openCritical();
    expect((await ask('i-eve', [item('e-keys')])).violationContexts).toEqual([
      contextOf(true, shown(['e-keys', false], ['e-root', true])),
    ]);
    expect((await ask('i-eve', [item('e-root'), { type: 'ACCESS_PROFILE', id: 'ap-root' }])).violationContexts).toEqual(
      [],
    );
  });

  test('is explained by its paths, and ended only by dropping what brings it', async () => {
    const { ask } = await openCritical();
    const refs = [{ type: 'ROLE', id: 'r-admin' }, item('e-report')];
    const answer = await ask('i-cleo', refs, {}, '?include=via,remediation');
    expect(answer.remediation).toEqual({
      drop: { accessRefs: [{ type: 'ROLE', id: 'r-admin' }], optimal: true },
      revoke: null,
    });
    const [context] = answer.violationContexts;
    expect(context.correctionAdvice).toBe('Revoke it.');
    expect(context.conflictingAccessCriteria.criteria[0].criteriaList[0].via).toEqual([
      {
        source: 'REQUESTED',
        path: [
          { type: 'ROLE', id: 'r-admin', name: 'Administrator' },
          { type: 'ACCESS_PROFILE', id: 'ap-root', name: 'Administration' },
        ],
      },
    ]);
  });

  test('counts in its window only', async () => {
    const { ask } = await openCritical();
    const timed = [{ ...item('e-keys'), start: '2027-01-01T00:00:00Z', end: '2027-02-01T00:00:00Z' }];
    const expected = [contextOf(false, shown(['e-keys', false]))];
    expect((await ask('i-cleo', timed)).violationContexts).toEqual(expected);
    expect((await ask('i-cleo', timed, { at: '2027-01-15T00:00:00Z' })).violationContexts).toEqual(expected);
    expect((await ask('i-cleo', timed, { at: '2027-02-01T00:00:00Z' })).violationContexts).toEqual([]);
    const past = [{ ...item('e-keys'), end: '2026-01-01T00:00:00Z' }];
    expect((await ask('i-cleo', past)).violationContexts).toEqual([]);
  });

  test('is not evaluated while the policy is not enforced, and is linted as a warning', async () => {
    const { api, ask } = await openCritical();
    const lint = async () =>
      (await api.call('GET', `${POLICIES}/lint`)).json.map(
        ({ code, severity, ref }: Record<string, { readonly id: string }>) => [code, severity, ref?.id],
      );
    expect(await lint()).toEqual([
      ['SELF_VIOLATING_ACCESS_PROFILE', 'WARNING', 'ap-root'],
      ['SELF_VIOLATING_ROLE', 'WARNING', 'r-admin'],
    ]);
    const off = [{ op: 'replace', path: '/state', value: 'NOT_ENFORCED' }];
    expect((await api.call('PATCH', `${POLICIES}/p-root`, { body: off })).status).toBe(200);
    expect((await ask('i-cleo', [item('e-keys')])).violationContexts).toEqual([]);
    expect(await lint()).toEqual([]);
  });

  test('is permitted by an exception, which an item of the same side voids', async () => {
    const { api: plain, ask: predict } = await openCritical();
    const { api, ask, move, stateOf } = await exceptionsOf(plain);
    const asked = { policyId: 'p-root', identityId: 'i-eve' };
    const { id } = (await ask(asked)).json;
    expect((await move(id, 'approve')).status).toBe(200);
    const [context] = (await predict('i-eve', [item('e-keys')])).violationContexts;
    expect([context.exception, context.exceptionEnds]).toEqual([null, undefined]);
    const more = { ...holder('i-eve', 'e-keys'), access: [{ type: 'ROLE', id: 'r-admin' }, item('e-keys')] };
    expect((await api.importRecords([more])).status).toBe(200);
    expect(await stateOf(id)).toBe('VOID');
    const { id: none } = (await ask({ policyId: 'p-root', identityId: 'i-cleo' })).json;
    expect(refusalOf(await move(none, 'approve')).slice(0, 2)).toEqual([409, '409.1']);
  });
});
