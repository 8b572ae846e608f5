import type { ImportRecord, TimedAccessRef } from '@access-admin/domain';
import type { ConflictPolicy, ConflictScope, ModelOverlay } from './held-conflicts.ts';

/** What the records of an import leave of the model, as far as conflicts depend on it. */
export interface ImportEffect {
  readonly overlay: ModelOverlay;
  /** Whether the import gives a role or an access profile, which may concern any identity. */
  readonly hasBundles: boolean;
}

/** The last record of an id counts. An identity without `access` keeps its access. */
export function effectOf(records: readonly ImportRecord[]): ImportEffect {
  const access = new Map<string, readonly TimedAccessRef[] | null>();
  const policies = new Map<string, ConflictPolicy | null>();
  const roles: Map<string, MapValue<ModelOverlay['roles']>> = new Map();
  const accessProfiles: Map<string, MapValue<ModelOverlay['accessProfiles']>> = new Map();
  const bundles = { role: roles, accessProfile: accessProfiles, sodPolicy: policies };
  for (const { record } of records) {
    if ('delete' in record) {
      if (record.kind === 'identity') access.set(record.id, null);
      else if (isOf(bundles, record.kind)) bundles[record.kind].set(record.id, null);
    } else if (record.kind === 'role') roles.set(record.id, record);
    else if (record.kind === 'accessProfile') accessProfiles.set(record.id, record);
    else if (record.kind === 'sodPolicy') policies.set(record.id, record);
    else if (record.kind === 'identity' && record.access !== undefined) access.set(record.id, record.access);
    else if (record.kind === 'identity') access.delete(record.id);
  }
  return { overlay: { access, policies, roles, accessProfiles }, hasBundles: roles.size + accessProfiles.size > 0 };
}

type MapValue<M> = M extends ReadonlyMap<string, infer V> ? V : never;

const isOf = <T extends object>(all: T, kind: PropertyKey): kind is keyof T => kind in all;

/** An import whose exceptions are examined. */
export interface ExaminedImport extends ConflictScope, ImportEffect {}

/** Whether an import may concern the exceptions of an identity from a policy. */
export const isConcerned = (
  { overlay, hasBundles }: ImportEffect,
  { identityId, policyId }: { readonly identityId: string; readonly policyId: string },
): boolean => hasBundles || overlay.access.has(identityId) || overlay.policies.has(policyId);
