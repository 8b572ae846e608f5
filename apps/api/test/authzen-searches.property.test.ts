import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

const ENTITLEMENTS = ['e-0', 'e-1', 'e-2', 'e-3', 'e-4'];
const PROFILES = ['ap-0', 'ap-1'];
const ROLES = ['r-0', 'r-1'];
/** Ids and usernames, in other orders. */
const PEOPLE = [
  ['i-0', 'zoe'],
  ['i-1', 'Yan'],
  ['i-2', 'émile'],
  ['i-3', 'abe'],
  ['i-4', 'bea'],
] as const;
const CAPABILITIES = ['HELPDESK', 'ROLE_ADMIN'];
const GRANTS = ['doc 1 read', 'doc 1 write', 'doc 2 read', 'app x hold'].map((text) => {
  const [resourceType = '', resourceId = '', action = ''] = text.split(' ');
  return { resourceType, resourceId, action };
});
/** One in so many searches is compared. */
const SHARE = 12;
const INSTANTS = ['2026-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z'];

const ref = fc.oneof(
  fc.constantFrom(...ENTITLEMENTS).map((id) => ({ type: 'ENTITLEMENT', id })),
  fc.constantFrom(...PROFILES).map((id) => ({ type: 'ACCESS_PROFILE', id })),
  fc.constantFrom(...ROLES).map((id) => ({ type: 'ROLE', id })),
);
const bound = fc.option(fc.constantFrom(...INSTANTS), { freq: 1 });
const timed = fc
  .record({ ref, start: bound, end: bound })
  .filter(({ start, end }) => start === null || end === null || start < end)
  .map((given) => ({ ...given.ref, start: given.start, end: given.end }));
const assignment = fc.oneof({ arbitrary: ref, weight: 3 }, { arbitrary: timed, weight: 1 });
/** Two sides without a common entitlement. */
const policy = fc
  .record({
    sides: fc.array(fc.constantFrom(0, 1, 2), { minLength: ENTITLEMENTS.length, maxLength: ENTITLEMENTS.length }),
    level: fc.constantFrom('CRITICAL', 'HIGH', 'LOW'),
  })
  .map(({ sides, level }) => {
    const side = (number: number) => ({
      criteriaList: ENTITLEMENTS.filter((_, at) => sides[at] === number).map((id) => ({ type: 'ENTITLEMENT', id })),
    });
    return { level, conflictingAccessCriteria: { leftCriteria: side(0), rightCriteria: side(1) } };
  })
  .filter(({ conflictingAccessCriteria: { leftCriteria, rightCriteria } }) =>
    [leftCriteria, rightCriteria].every(({ criteriaList }) => criteriaList.length > 0),
  );
const world = fc.record({
  grants: fc.array(fc.subarray(GRANTS), { minLength: ENTITLEMENTS.length, maxLength: ENTITLEMENTS.length }),
  profiles: fc.tuple(fc.subarray(ENTITLEMENTS), fc.subarray(ENTITLEMENTS)),
  roles: fc.array(fc.record({ entitlements: fc.subarray(ENTITLEMENTS), accessProfiles: fc.subarray(PROFILES) }), {
    minLength: ROLES.length,
    maxLength: ROLES.length,
  }),
  people: fc.array(
    fc.record({ access: fc.array(assignment, { maxLength: 4 }), capabilities: fc.subarray(CAPABILITIES) }),
    { minLength: PEOPLE.length, maxLength: PEOPLE.length },
  ),
  policies: fc.array(policy, { maxLength: 4 }),
  context: fc.record(
    {
      time: fc.constantFrom('2029-06-01T00:00:00Z', '2030-06-01T00:00:00Z'),
      fromLevel: fc.constantFrom('HIGH', 'LOW'),
    },
    { requiredKeys: [] },
  ),
  requested: fc.array(assignment, { minLength: 1, maxLength: 3 }),
  limit: fc.integer({ min: 1, max: 7 }),
  /** Which of all searches to compare. */
  chosen: fc.infiniteStream(fc.nat({ max: SHARE - 1 })),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

const recordsOf = ({ grants, profiles, roles, people, policies }: World) => [
  ...ENTITLEMENTS.map((id, at) => ({ kind: 'entitlement', id, name: id, grants: grants[at] })),
  ...PROFILES.map((id, at) => ({ kind: 'accessProfile', id, name: id, entitlements: profiles[at] })),
  ...ROLES.map((id, at) => ({ kind: 'role', id, name: id, ...roles[at] })),
  { kind: 'identityProfile', id: 'ip', name: 'ip' },
  ...PEOPLE.map(([id, uid], at) => ({ kind: 'identity', id, uid, identityProfile: 'ip', ...people[at] })),
  ...['i-ada', 'i-hal'].map((id) => ({
    kind: 'identity',
    id,
    uid: id,
    identityProfile: 'ip',
    capabilities: ['POLICY_ADMIN'],
  })),
  ...policies.map((each, at) => ({ kind: 'sodPolicy', id: `p-${at}`, name: `p-${at}`, ...each })),
];

/** Requests an exception for each person and policy, and has each approved that there is a conflict for. */
async function exceptAll(api: TestApi, { policies }: World): Promise<void> {
  const requester = await api.clientToken({ identityId: 'i-ada' });
  const approver = await api.clientToken({ identityId: 'i-hal' });
  for (const [identityId] of PEOPLE)
    for (const at of policies.keys()) {
      const body = { policyId: `p-${at}`, identityId, justification: 'Needed.' };
      const now = { ...body, start: new Date().toISOString(), end: new Date(Date.now() + 3e10).toISOString() };
      const { json } = await api.call('POST', '/sod-exceptions/v1', { token: requester, body: now });
      await api.call('POST', `/sod-exceptions/v1/${json.id}/approve`, { token: approver, body: {} });
    }
}

interface Entity {
  readonly type: string;
  readonly id: string;
}

const entitiesOf = (type: string, ids: readonly string[]) => ids.map((id) => ({ type, id }));
const sortedBy = <T>(texts: readonly T[]) => texts.toSorted((one, other) => (one < other ? -1 : 1));

test('each search finds what asking one by one permits', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const api = await openTestApi();
      expect((await api.importRecords(recordsOf(given))).status).toBe(200);
      await exceptAll(api, given);
      const { context, limit } = given;
      const isChosen = () => given.chosen.next().value === 0;
      const post = async (path: string, body: object) => {
        const { status, json } = await api.call('POST', `/access/v1/${path}`, { body });
        expect([status, json]).toEqual([200, json]);
        return json;
      };
      const search = async (kind: string, body: object): Promise<readonly string[]> => {
        const found: string[] = [];
        let token = '';
        do {
          const page = token === '' ? { limit } : { limit, token };
          const answer = await post(`search/${kind}`, { ...body, context, page });
          expect(answer.page.count).toBe(answer.results.length);
          found.push(...answer.results.map(({ id, name }: { id?: string; name?: string }) => id ?? name));
          token = answer.page.next_token;
        } while (token !== '');
        return found;
      };
      const subjects: readonly Entity[] = [
        ...entitiesOf('identity', [...PEOPLE.map(([id]) => id), 'i-ada', 'i-hal']),
        ...entitiesOf('user', [...PEOPLE.map(([, uid]) => uid), 'i-ada', 'i-hal']),
      ];
      const resources: readonly Entity[] = [
        ...entitiesOf('entitlement', ENTITLEMENTS),
        ...entitiesOf('access_profile', PROFILES),
        ...entitiesOf('role', ROLES),
        ...entitiesOf('capability', [...CAPABILITIES, 'POLICY_ADMIN']),
        ...entitiesOf('doc', ['1', '2', '3']),
        ...entitiesOf('app', ['x']),
      ];
      const request = { type: 'access_request', id: 'CHG', properties: { accessRefs: given.requested } };
      const actions = ['hold', 'read', 'request', 'use', 'write'];
      const permitted = new Set<string>();
      const keyOf = (subject: Entity, action: string, resource: Entity) =>
        [subject.type, subject.id, action, resource.type, resource.id].join(' ');
      for (const subject of subjects) {
        const asked = [...resources, request].flatMap((resource) =>
          actions.map((name) => ({ resource, action: { name } })),
        );
        const { evaluations } = await post('evaluations', { subject, context, evaluations: asked });
        for (const [at, { resource, action }] of asked.entries())
          if (evaluations[at].decision) permitted.add(keyOf(subject, action.name, resource));
      }
      for (const resource of [...resources, request])
        for (const action of actions)
          for (const type of ['identity', 'user'].filter(isChosen)) {
            const expected = subjects.filter(
              (each) => each.type === type && permitted.has(keyOf(each, action, resource)),
            );
            const found = await search('subject', { subject: { type }, action: { name: action }, resource });
            expect([type, action, resource, found]).toEqual([
              type,
              action,
              resource,
              sortedBy(expected.map(({ id }) => id)),
            ]);
          }
      for (const subject of subjects) {
        for (const type of new Set(resources.map((each) => each.type)))
          for (const action of actions.filter(isChosen)) {
            const ofType = resources.filter(
              (each) => each.type === type && permitted.has(keyOf(subject, action, each)),
            );
            const found = await search('resource', { subject, action: { name: action }, resource: { type } });
            expect([subject, action, type, found]).toEqual([
              subject,
              action,
              type,
              sortedBy(ofType.map(({ id }) => id)),
            ]);
          }
        for (const resource of [...resources, request].filter(isChosen)) {
          const expected = actions.filter((action) => permitted.has(keyOf(subject, action, resource)));
          expect([subject, resource, await search('action', { subject, resource })]).toEqual([
            subject,
            resource,
            expected,
          ]);
        }
      }
    }),
    runs(50),
  );
});
