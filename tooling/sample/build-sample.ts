import { ACCESS_PROFILES, ROLES } from './bundles.ts';
import { ENTITLEMENTS_BY_SOURCE } from './entitlements.ts';
import type { PolicyRow } from './rulebook/policy-row.ts';
import { POLICIES } from './rulebook.ts';
import { createRandom } from './seeded-random.ts';
import { IDENTITY_PROFILES, UI_METADATA } from './settings.ts';
import { buildStaff } from './staff.ts';

const SEED = 20_261_101;

/** The sample company as an import: NDJSON, one record a line. */
export const buildSample = (): string =>
  records()
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');

const records = (): readonly object[] => [
  ...Object.entries(ENTITLEMENTS_BY_SOURCE).flatMap(([source, names]) =>
    Object.entries(names).map(([id, name]) => ({ kind: 'entitlement', id, name, source })),
  ),
  ...Object.entries(ACCESS_PROFILES).map(([id, row]) => ({ kind: 'accessProfile', id, ...row })),
  ...Object.entries(ROLES).map(([id, row]) => ({ kind: 'role', id, ...row })),
  ...Object.entries(IDENTITY_PROFILES).map(([id, row]) => ({ kind: 'identityProfile', id, ...row })),
  ...buildStaff(createRandom(SEED)),
  ...POLICIES.map(toPolicyRecord),
  { kind: 'uiMetadata', id: 'tenant', ...UI_METADATA },
];

const toPolicyRecord = (row: PolicyRow) => ({
  kind: 'sodPolicy',
  id: row.id,
  name: row.name,
  description: row.risk,
  state: row.state ?? 'ENFORCED',
  level: row.level,
  conflictingAccessCriteria: toConflict(row),
  externalPolicyReference: row.reference ?? null,
  compensatingControls: row.controls ?? null,
  correctionAdvice: row.advice,
  tags: row.tags,
});

function toConflict(row: PolicyRow): object {
  if ('critical' in row) return { criteria: [toCriteria(row.critical)], atLeast: 1 };
  if ('sides' in row) return { criteria: row.sides.map(toCriteria), atLeast: row.atLeast };
  return { leftCriteria: toCriteria(row.left), rightCriteria: toCriteria(row.right) };
}

const toCriteria = ([name, ...ids]: readonly [string, ...string[]]) => ({
  name,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })),
});
