import {
  compileSodIndex,
  expandAssignments,
  type SodInclude,
  type SodPolicy,
  type TimedAccessRef,
  UNSET_POLICY_FIELDS,
} from '@access-admin/domain';
import type { SodReading } from '@access-admin/store';
import { expect, test } from 'vitest';
import { contextOf } from '../../../test/context-of.ts';
import { textOf } from '../../../test/text-of.ts';
import { createJobs } from '../../event-loop/jobs.ts';
import { beginText, untilDeadline } from './long-answer.ts';
import { explainPieces, predictPieces } from './predict.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const day = (number: number) => new Date(NOW.getTime() + number * 86_400_000).toISOString();

const entitlement = (id: string): TimedAccessRef => ({ type: 'ENTITLEMENT', id });
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);
const sideOf = (ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id, name: null })),
});

const policyOf = (id: string, left: readonly string[], right: readonly string[]): SodPolicy => ({
  id,
  name: id,
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  tags: [],
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  ownerRef: null,
  ...UNSET_POLICY_FIELDS,
  creatorId: null,
  modifierId: null,
  created: day(-1),
  modified: day(-1),
  conflictingAccessCriteria: { leftCriteria: sideOf(left), rightCriteria: sideOf(right) },
});

interface World {
  readonly policies: readonly SodPolicy[];
  readonly roles?: readonly { readonly id: string; readonly entitlements: readonly string[] }[];
  readonly assignments: readonly TimedAccessRef[];
  /** The try at which the explanation is as of the same instant as the reading. */
  readonly tries?: number;
}

function openWorld({ policies, roles: few = [], assignments, tries = 1 }: World) {
  const ids = new Set(
    policies.flatMap(({ conflictingAccessCriteria: criteria }) =>
      'leftCriteria' in criteria
        ? [criteria.leftCriteria, criteria.rightCriteria].flatMap((side) => side.criteriaList.map(({ id }) => id))
        : [],
    ),
  );
  const roles = few.map((role) => ({ ...role, name: role.id, accessProfiles: [] }));
  const entitlements = [...ids].map((id) => ({ id, name: id, source: null }));
  const index = compileSodIndex(policies, { entitlements, accessProfiles: [], roles });
  const reading: SodReading = {
    index,
    exceptions: null,
    policySetVersion: 1,
    changeId: null,
    revision: null,
    ...expandAssignments(index, assignments),
  };
  const seen = { turns: 0, tries: 0 };
  const scheduler = {
    yield: async () => {
      seen.turns += 1;
    },
    yieldIfDue: () => undefined,
  };
  const jobs = createJobs({ scheduler, elapsed: () => 0, workMsMax: 1 });
  const job = jobs.begin('acme', null);
  const rolesById = new Map(roles.map((role) => [role.id, role]));
  const ask = (accessRefs: readonly TimedAccessRef[], includes: readonly SodInclude[]) => {
    const readExplanation = async () => {
      seen.tries += 1;
      if (seen.tries < tries) return null;
      return { assignments, requested: accessRefs, roles: rolesById, accessProfiles: new Map(), advice: new Map() };
    };
    const { services } = contextOf({
      services: {
        reader: { read: () => reading },
        store: { sod: { readExplanation } },
        jobs,
        system: { now: () => NOW },
      },
    }).env;
    const asked = { job, includes, log: null };
    return explainPieces(services, asked, { identityId: 'i', accessRefs, clientMetadata: null });
  };
  return { ask, seen, reading, jobs, job };
}

const windows = (ref: TimedAccessRef, count: number): readonly TimedAccessRef[] =>
  Array.from({ length: count }, (_, at) => ({ ...ref, start: day(at * 2 + 1), end: day(at * 2 + 2) }));

test('an explained prediction is tried again until its explanation is as of the same instant', async () => {
  const policies = idsOf('p', 3_000).map((id) => policyOf(id, ['a'], ['b']));
  const { ask, seen } = openWorld({ policies, assignments: windows(entitlement('a'), 31), tries: 12 });
  expect(await ask([entitlement('b')], ['via'])).toMatchObject({ ok: true });
  expect(seen.tries).toBe(12);
});

test.each([['via'], ['remediation'], ['via', 'remediation']] as const)(
  'with %s it shows 1,000 violations, counts the others and names all policies, and the remediation is about all',
  async (...includes) => {
    const shared = idsOf('p', 1_000).map((id) => policyOf(id, ['a'], ['b']));
    const policies = [...shared, policyOf('q', ['a'], ['c'])];
    const { ask } = openWorld({ policies, assignments: [entitlement('a')] });
    const answer = await ask([entitlement('b'), entitlement('c')], includes);
    const body = JSON.parse(answer.ok ? await textOf({ pieces: answer.value }) : '{}');
    expect(body).toMatchObject({ violationCount: 1_001, omitted: 1, policySetVersion: 1 });
    expect([body.violationContexts.length, body.violatedPolicies.length]).toEqual([1_000, 1_001]);
    expect(body.violatedPolicies.at(-1)).toEqual({ type: 'SOD_POLICY', id: 'q', name: 'q' });
    const drop = { accessRefs: [entitlement('b'), entitlement('c')], optimal: true };
    const revoke = { assignments: [entitlement('a')], optimal: true };
    expect(body.remediation).toEqual(includes[0] === 'via' && includes.length === 1 ? undefined : { drop, revoke });
  },
);

test('a plain prediction shows 10,000 violations over time, and names the policies of all, in pieces of bounded time', async () => {
  const policies = idsOf('p', 132_000).map((id) => policyOf(id, ['a'], ['b']));
  const { reading, jobs, job } = openWorld({ policies, assignments: windows(entitlement('a'), 1) });
  const question = { identityId: 'i', accessRefs: [entitlement('b')], clientMetadata: null };
  const pieces = predictPieces(reading, question, { now: NOW, log: null });
  if (!pieces.ok) throw new Error('refused');
  const beginning = beginText({ elapsed: () => 0 }, pieces.value);
  if (beginning.rest === null) throw new Error('not long');
  const body = JSON.parse(await textOf({ pieces: untilDeadline(jobs, job, beginning) }));
  expect(body).toMatchObject({ violationCount: 132_000, omitted: 122_000 });
  expect([body.violationContexts.length, body.violatedPolicies.length]).toEqual([10_000, 132_000]);
});

test('of the reasons of thousands of roles ten paths are shown', async () => {
  const many = idsOf('many', 100);
  const roles = idsOf('role', 11_000).map((id) => ({ id, entitlements: many }));
  const { ask } = openWorld({
    policies: [policyOf('many', many, ['b'])],
    roles,
    assignments: roles.map(({ id }) => ({ type: 'ROLE', id })),
  });
  const answer = await ask([entitlement('b')], ['via']);
  const body = JSON.parse(answer.ok ? await textOf({ pieces: answer.value }) : '{}');
  const [item] = body.violationContexts[0].conflictingAccessCriteria.leftCriteria.criteriaList;
  expect([item.via.length, item.viaMore]).toEqual([10, 10_990]);
});
