import type { Caller } from '../src/administration/authorization.ts';
import type { Failure } from '../src/basics/result/failure.ts';
import type { Result } from '../src/basics/result/result.ts';
import { planImport } from '../src/import/plan.ts';
import type { AccessModelRecord, ImportPlan, RecordKind } from '../src/import/records.ts';
import { gather, linesOf, policyFields, storedIdentity, type World, worldOf } from './import-world.ts';

export const BEFORE = '2026-01-01T00:00:00.000Z';
export const NOW = '2026-11-21T09:30:00.000Z';
export const SETTINGS = {
  type: 'MFA',
  offNetwork: true,
  untrustedGeography: false,
  applicationId: 'a',
  applicationName: 'A',
} as const;

export const APPLICATION: Caller = {
  tenant: 'acme',
  clientId: 'c',
  scopes: new Set(),
  identityId: null,
  capabilities: [],
};

/** A few records of each kind that refer to each other. */
export const SMALL_WORLD = worldOf({
  entitlement: ['e-1', 'e-2', 'e-3'].map((id) => ({ id, name: id, source: null })),
  accessProfile: [{ id: 'ap-1', name: 'AP', entitlements: ['e-1'] }],
  role: [{ id: 'r-1', name: 'R', accessProfiles: ['ap-1'], entitlements: ['e-2'] }],
  identityProfile: [{ id: 'ip-1', name: 'IP', authProfile: SETTINGS }],
  identity: [
    storedIdentity('i-1', { capabilities: ['ORG_ADMIN'], access: [{ type: 'ROLE', id: 'r-1' }] }),
    storedIdentity('i-2', { access: [{ type: 'ENTITLEMENT', id: 'e-3' }] }),
  ],
  sodPolicy: [
    { ...policyFields('p-1', ['e-1'], ['e-2']), creatorId: 'c', modifierId: 'c', created: BEFORE, modified: BEFORE },
  ],
});

/** The outcome of an import of these records, as the lines 1, 2, …. */
export function outcomeOf(
  records: readonly AccessModelRecord[],
  world: World = SMALL_WORLD,
  caller: Caller = APPLICATION,
): Result<ImportPlan, Failure> {
  const lines = linesOf(...records);
  return planImport({ records: lines, base: gather(world, lines, caller.identityId), caller, now: NOW });
}

/** The plan of an import by an application that must succeed. */
export function planOf(records: readonly AccessModelRecord[], world?: World): ImportPlan {
  const outcome = outcomeOf(records, world);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
  return outcome.value;
}

export const remove = (kind: RecordKind, id: string) => ({ kind, id, delete: true }) as const;

export const entitlement = (id: string, name = id) => ({ kind: 'entitlement', id, name, source: null }) as const;
