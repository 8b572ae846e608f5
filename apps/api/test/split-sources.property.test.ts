import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

const PREDICT = '/sod-violations/v1/predict';
const ENTITLEMENTS = ['e-0', 'e-1', 'e-2', 'e-3', 'e-4'];
const PEOPLE = ['i-0', 'i-1', 'i-2'];
/** Where a grant is kept: the record of the identity, or an account of a source. */
const PLACES = ['own', 'erp', 'crm'] as const;

const refOf = fc.oneof(
  fc.constantFrom(...ENTITLEMENTS).map((id) => ({ type: 'ENTITLEMENT', id })),
  fc.constantFrom('r-0', 'r-1').map((id) => ({ type: 'ROLE', id })),
);
const instant = fc.option(
  fc.constantFrom('2026-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z'),
);
const grant = fc
  .record({
    identity: fc.constantFrom(...PEOPLE),
    ref: refOf,
    start: instant,
    end: instant,
    places: fc.subarray([...PLACES], { minLength: 1 }),
  })
  .filter(({ start, end }) => start === null || end === null || start < end);
/** The sides of a policy, which have no entitlement in common. */
const policy = fc
  .array(fc.constantFrom('left', 'right', 'none'), { minLength: ENTITLEMENTS.length, maxLength: ENTITLEMENTS.length })
  .map((sides) => ['left', 'right'].map((name) => ENTITLEMENTS.filter((_, at) => sides[at] === name)))
  .filter((sides) => sides.every(({ length }) => length > 0));
const world = fc.record({
  roles: fc.tuple(fc.subarray(ENTITLEMENTS), fc.subarray(ENTITLEMENTS)),
  policies: fc.array(policy, { minLength: 1, maxLength: 4 }),
  grants: fc.array(grant, { maxLength: 12 }),
  asked: fc.uniqueArray(refOf, { selector: ({ type, id }) => `${type} ${id}`, minLength: 1, maxLength: 3 }),
});

type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

const side = (ids: readonly string[]) => ({ criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })) });

/** The records of a world in which each grant is in these places. */
function recordsOf(
  { roles, policies, grants }: World,
  placesOf: (given: World['grants'][number]) => readonly string[],
) {
  const accessIn = (place: string, identity: string) =>
    grants
      .filter((each) => each.identity === identity && placesOf(each).includes(place))
      .map(({ ref, start, end }) => ({ ...ref, start, end }));
  return [
    ...ENTITLEMENTS.map((id) => ({ kind: 'entitlement', id, name: id })),
    ...roles.map((entitlements, at) => ({ kind: 'role', id: `r-${at}`, name: `r-${at}`, entitlements })),
    { kind: 'identityProfile', id: 'ip', name: 'ip' },
    ...['erp', 'crm'].map((id) => ({
      kind: 'source',
      id,
      name: id,
      correlation: [{ account: 'name', identity: 'uid' }],
    })),
    ...PEOPLE.map((id) => ({ kind: 'identity', id, uid: id, identityProfile: 'ip', access: accessIn('own', id) })),
    ...['erp', 'crm'].flatMap((source) =>
      PEOPLE.map((id) => ({ kind: 'account', source, id, name: id, access: accessIn(source, id) })),
    ),
    ...policies.map(([left = [], right = []], at) => ({
      kind: 'sodPolicy',
      id: `p-${at}`,
      name: `p-${at}`,
      conflictingAccessCriteria: { leftCriteria: side(left), rightCriteria: side(right) },
    })),
  ];
}

async function predictionsIn(api: TestApi, { asked }: World): Promise<readonly unknown[]> {
  const answers = PEOPLE.map((identityId) =>
    api.call('POST', PREDICT, { body: { identityId, accessRefs: asked } }).then(({ status, json }) => ({
      status,
      violationContexts: json.violationContexts,
    })),
  );
  return Promise.all(answers);
}

test('property: a world whose access is split over sources, with copies, predicts as it does in one record each', async () => {
  let violations = 0;
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      const split = await openTestApi();
      const whole = await openTestApi();
      for (const [api, records] of [
        [split, recordsOf(drawn, ({ places }) => places)],
        [whole, recordsOf(drawn, () => ['own'])],
      ] as const)
        expect(await api.importRecords(records)).toMatchObject({ status: 200 });
      const expected = await predictionsIn(whole, drawn);
      expect(await predictionsIn(split, drawn)).toEqual(expected);
      violations += JSON.stringify(expected).split('"policy"').length - 1;
    }),
    {
      ...runs(40),
      // Few random worlds may have no violation.
      examples: [
        [
          {
            roles: [[], []],
            policies: [[['e-0'], ['e-1']]],
            grants: [
              { identity: 'i-0', ref: { type: 'ENTITLEMENT', id: 'e-0' }, start: null, end: null, places: ['erp'] },
            ],
            asked: [{ type: 'ENTITLEMENT', id: 'e-1' }],
          },
        ],
      ],
    },
  );
  expect(violations).toBeGreaterThan(0);
});
