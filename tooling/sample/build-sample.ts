import { ACCESS_PROFILES, ROLES } from './bundles.ts';
import { ENTITLEMENTS_BY_SOURCE } from './entitlements.ts';
import { buildPolicies } from './policies.ts';
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
  ...buildPolicies(),
  { kind: 'uiMetadata', id: 'tenant', ...UI_METADATA },
];
