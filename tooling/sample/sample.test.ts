import { readFileSync } from 'node:fs';
import { identityWithNewAccess, parseImportLines, parseStrictJson, validate } from '@access-admin/contract';
import {
  type AccessModelRecord,
  compileSodIndex,
  expandAccess,
  type Identity,
  predict,
  predictionJson,
  type SodPolicy,
  sidesOf,
  type ViolationContext,
} from '@access-admin/domain';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { buildSample } from './build-sample.ts';
import { RIGHTS_OF_FUNCTIONS } from './functions.ts';
import { JOBS } from './jobs.ts';
import { NOT_ENFORCED, REFERENCES } from './settings.ts';
import { SIDE_NAMES } from './side-names.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const text = read('sample.ndjson');
const parsed = await parseImportLines(text, async () => {});
const records = parsed.ok ? parsed.value.map(({ record }) => record) : [];

const ofKind = <K extends AccessModelRecord['kind']>(kind: K) =>
  records.filter(
    (record): record is Extract<AccessModelRecord, { kind: K; name: string } | { kind: K; uid: string }> =>
      record.kind === kind && !('delete' in record),
  );

const entitlements = ofKind('entitlement');
const accessProfiles = ofKind('accessProfile');
const roles = ofKind('role');
const identityProfiles = ofKind('identityProfile');
const identities = ofKind('identity');
const policies = ofKind('sodPolicy');
const index = compileSodIndex(
  policies.map(
    (policy): SodPolicy => ({
      ...policy,
      creatorId: null,
      modifierId: null,
      created: '2026-11-01T08:00:00.000Z',
      modified: '2026-11-01T08:00:00.000Z',
    }),
  ),
  { entitlements, accessProfiles, roles },
);
const accessOf = (identity: { readonly access?: Identity['access'] }) => expandAccess(index, identity.access ?? []);
const nothing = new Uint32Array();
const violationsOf = (refs: Identity['access']): readonly ViolationContext[] => contextsOf(nothing, refs);

function contextsOf(held: Uint32Array | null, accessRefs: Identity['access']): readonly ViolationContext[] {
  const prediction = predict(index, { held, timed: null }, { accessRefs, nowMs: 0 });
  if (!prediction.ok) throw new Error(prediction.failure.type);
  const parts = { basis: { policySetVersion: 0, asOf: '' }, coverage: null, remediation: null };
  return JSON.parse([...predictionJson(prediction.value, parts)].join('')).violationContexts;
}

describe('the committed sample', () => {
  test('is what the generator writes', () => {
    expect(text).toBe(buildSample());
  });

  test('is a valid import', () => {
    expect(parsed).toMatchObject({ ok: true });
    expect(records.length).toBe(text.trimEnd().split('\n').length);
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
  });

  test('has every id once in its kind', () => {
    expect(new Set(records.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(records.length);
    expect(new Set(identities.map(({ uid }) => uid)).size).toBe(identities.length);
  });

  test('is as large as promised', () => {
    expect(policies.length).toBeGreaterThanOrEqual(60);
    for (const page of ['README.md', 'docs/start/first-steps.md'])
      expect(read(`../../${page}`)).toContain(`${policies.length} policies of [the open rulebook]`);
    expect(entitlements.length).toBeGreaterThanOrEqual(60);
    expect(accessProfiles.length).toBeGreaterThanOrEqual(15);
    expect(roles.length).toBeGreaterThanOrEqual(12);
    expect(identityProfiles.length).toBeGreaterThanOrEqual(3);
    expect(identities.length).toBe(300);
    expect(policies.some(({ conflictingAccessCriteria }) => 'atLeast' in conflictingAccessCriteria)).toBe(true);
    expect(policies.filter(({ conflictingAccessCriteria: criteria }) => sidesOf(criteria).length === 1)).toMatchObject([
      { level: 'CRITICAL', state: 'ENFORCED', conflictingAccessCriteria: { atLeast: 1 } },
    ]);
    expect(identities.some(({ access }) => access?.some((ref) => 'end' in ref && ref.end !== null))).toBe(true);
    expect(new Set(policies.map(({ level }) => level)).size).toBe(4);
    expect(policies.filter(({ state }) => state === 'NOT_ENFORCED').length).toBeGreaterThanOrEqual(2);
    expect(identities.filter(({ capabilities }) => capabilities?.includes('ORG_ADMIN')).length).toBe(3);
  });
});

describe('the policies of the sample', () => {
  const functions: readonly { id: string }[] = parseCsv(read('../../rulebooks/open/functions.csv'), { columns: true });

  test('come from functions of the open rulebook, each given by rights that exist', () => {
    const known = new Set(functions.map(({ id }) => id));
    const rights = new Set(entitlements.map(({ id }) => id));
    expect(Object.keys(RIGHTS_OF_FUNCTIONS).filter((id) => !known.has(id))).toEqual([]);
    expect(Object.values(RIGHTS_OF_FUNCTIONS).filter((ids) => ids.length === 0)).toEqual([]);
    const given = Object.values(RIGHTS_OF_FUNCTIONS).flat();
    expect(given.filter((id) => !rights.has(id))).toEqual([]);
  });

  test('have a name for each side', () => {
    const sides = policies.flatMap(({ id, conflictingAccessCriteria }) =>
      sidesOf(conflictingAccessCriteria).map(({ name }) => ({ id, name })),
    );
    expect(sides.filter(({ name }) => name === null)).toEqual([]);
    expect(Object.keys(SIDE_NAMES).filter((id) => !policies.some((policy) => policy.id === id))).toEqual([]);
  });

  test('have the states and references of the company, which names no other', () => {
    const byId = new Map(policies.map((policy) => [policy.id, policy]));
    expect(policies.filter(({ state }) => state === 'NOT_ENFORCED').map(({ id }) => id)).toEqual(NOT_ENFORCED);
    for (const [id, reference] of Object.entries(REFERENCES))
      expect(byId.get(id)).toMatchObject({ id, externalPolicyReference: reference });
  });
});

describe('the four people of the access office', () => {
  const people: Readonly<Record<string, string>> = JSON.parse(read('people.json'));
  const findPerson = (role: string) => identities.find(({ id }) => id === people[role]);

  test.each([
    ['administrator', 'ORG_ADMIN'],
    ['requester', 'POLICY_ADMIN'],
    ['approver', 'POLICY_ADMIN'],
    ['auditor', 'das:ui-auditor'],
  ] as const)('have the capability of their role: %s', (role, capability) => {
    expect(findPerson(role)?.capabilities).toContain(capability);
  });

  test('are four, and sign in with passwords of the service from any address', () => {
    const profiles = Object.keys(people).map((role) => findPerson(role)?.identityProfile);
    expect(new Set(Object.values(people)).size).toBe(4);
    expect(new Set(profiles)).toEqual(new Set(['ip-access-office']));
    expect(identityProfiles.find(({ id }) => id === 'ip-access-office')?.authProfile).toMatchObject({
      type: 'NON_PTA',
      offNetwork: false,
      untrustedGeography: false,
    });
  });

  test('keep their duties apart: the auditor changes nothing, and only the administrator administers', () => {
    expect(findPerson('auditor')?.capabilities?.filter((name) => name.endsWith('_ADMIN'))).toEqual([]);
    for (const role of ['requester', 'approver']) expect(findPerson(role)?.capabilities).not.toContain('ORG_ADMIN');
  });
});

describe('the exceptions of the sample', () => {
  const exceptions: readonly { policyId: string; identityId: string; days: number; approved: boolean }[] = JSON.parse(
    read('exceptions.json'),
  );

  test('concern conflicts that people of the sample have', () => {
    const conflicts = new Set(
      identities.flatMap(({ id, access }) => violationsOf(access ?? []).map(({ policy }) => `${policy.id} ${id}`)),
    );
    expect(exceptions.filter(({ policyId, identityId }) => !conflicts.has(`${policyId} ${identityId}`))).toEqual([]);
  });

  test('are two that wait for an approval, one that ends within 30 days and one that ends later', () => {
    expect(exceptions.map(({ approved }) => approved)).toEqual([false, false, true, true]);
    expect(exceptions.filter(({ approved }) => approved).map(({ days }) => days > 30)).toEqual([false, true]);
  });
});

describe('references of the sample', () => {
  const known = new Set(records.map(({ kind, id }) => `${kind} ${id}`));
  const expectKnown = (wanted: readonly string[]) => expect(wanted.filter((ref) => !known.has(ref))).toEqual([]);
  const refs = (kind: string, ids: readonly string[]) => ids.map((id) => `${kind} ${id}`);

  test('resolve to existing records', () => {
    expectKnown(accessProfiles.flatMap((profile) => refs('entitlement', profile.entitlements)));
    expectKnown(
      roles.flatMap((role) => [
        ...refs('accessProfile', role.accessProfiles),
        ...refs('entitlement', role.entitlements),
      ]),
    );
    expectKnown(identities.map(({ identityProfile }) => `identityProfile ${identityProfile}`));
    expect(identities.flatMap((identity) => accessOf(identity).unresolved)).toEqual([]);
    const sides = policies.flatMap(({ conflictingAccessCriteria }) => sidesOf(conflictingAccessCriteria));
    expectKnown(
      sides.flatMap(({ criteriaList }) =>
        refs(
          'entitlement',
          criteriaList.map(({ id }) => id),
        ),
      ),
    );
  });

  test('use every access profile and role', () => {
    const used = new Set([
      ...identities.flatMap(({ access }) => access ?? []).map(({ id }) => id),
      ...roles.flatMap(({ accessProfiles: ids }) => ids),
    ]);
    expect([...accessProfiles, ...roles].map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
  });
});

describe('violations in the sample', () => {
  test('come from leftovers alone, in 5 to 10 of 100 identities', () => {
    const violating = identities.filter(({ access }) => violationsOf(access ?? []).length > 0).map(({ id }) => id);
    const seats = JOBS.flatMap(({ count, leftovers }) =>
      Array.from({ length: count }, (_, seat) => leftovers?.[seat - 1]),
    );
    const withLeftovers = identities.filter((_, at) => seats[at] !== undefined).map(({ id }) => id);
    expect(violating).toEqual(withLeftovers);
    expect(violating.length).toBeGreaterThanOrEqual(identities.length * 0.05);
    expect(violating.length).toBeLessThanOrEqual(identities.length * 0.1);
  });

  test('are in no access profile and no role by itself', () => {
    expect(accessProfiles.filter(({ id }) => violationsOf([{ type: 'ACCESS_PROFILE', id }]).length > 0)).toEqual([]);
    expect(roles.filter(({ id }) => violationsOf([{ type: 'ROLE', id }]).length > 0)).toEqual([]);
  });

  test('are what the predict call of the first start shows', () => {
    const json = parseStrictJson(read('demo-request.json'));
    const request = json.ok ? validate(identityWithNewAccess, json.value) : json;
    if (!request.ok) throw new Error(JSON.stringify(request.failure));
    const identity = identities.find(({ id }) => id === request.value.identityId);
    const held = identity ? accessOf(identity).entitlements : null;
    expect(contextsOf(held, request.value.accessRefs)).toMatchObject([
      { policy: { id: 'sod-p2p-01', level: 'CRITICAL' }, preexisting: false },
    ]);
  });
});
