import type { AccessRef, Identity } from '../src/access/model/records.ts';
import { type Branding, UNSET_BRANDING } from '../src/administration/branding.ts';
import { foldUid } from '../src/administration/fold-uid.ts';
import { DEFAULT_SIGN_IN_SETTINGS, type SignInSettings } from '../src/administration/sign-in/settings.ts';
import { type UiMetadata, UNSET_UI_METADATA } from '../src/administration/ui-metadata.ts';
import type {
  AccessModelRecord,
  ImportBase,
  ImportPlan,
  ImportRecord,
  Reference,
  StoredKind,
  StoredRecords,
} from '../src/import/records.ts';
import { forEachKind, importFootprint } from '../src/import/references.ts';
import { UNSET_POLICY_FIELDS } from '../src/policies/model.ts';

/** The stored records of a tenant. */
export interface World {
  readonly stored: StoredRecords;
  readonly uiMetadata: UiMetadata;
  readonly branding: Branding;
  readonly signIn: SignInSettings;
}

const EMPTY: World = {
  stored: {
    entitlement: new Map(),
    accessProfile: new Map(),
    role: new Map(),
    identityProfile: new Map(),
    source: new Map(),
    identity: new Map(),
    account: new Map(),
    sodPolicy: new Map(),
    control: new Map(),
  },
  uiMetadata: UNSET_UI_METADATA,
  branding: UNSET_BRANDING,
  signIn: DEFAULT_SIGN_IN_SETTINGS,
};

/** The world after a plan. */
export function applyPlan({ stored, uiMetadata, branding, signIn }: World, plan: ImportPlan): World {
  const { upserts, deletes } = plan;
  return {
    stored: {
      entitlement: after(stored.entitlement, upserts.entitlement, deletes.entitlement),
      accessProfile: after(stored.accessProfile, upserts.accessProfile, deletes.accessProfile),
      role: after(stored.role, upserts.role, deletes.role),
      identityProfile: after(stored.identityProfile, upserts.identityProfile, deletes.identityProfile),
      source: after(stored.source, upserts.source, deletes.source),
      identity: after(stored.identity, upserts.identity, deletes.identity),
      account: after(stored.account, upserts.account, deletes.account),
      sodPolicy: after(stored.sodPolicy, upserts.sodPolicy, deletes.sodPolicy),
      control: after(stored.control, upserts.control, deletes.control),
    },
    uiMetadata: plan.uiMetadata ?? uiMetadata,
    branding: plan.branding ?? branding,
    signIn: { ...signIn, ...plan.signIn },
  };
}

function after<T extends { readonly id: string }>(
  stored: ReadonlyMap<string, T>,
  upserts: readonly T[],
  deletes: readonly string[],
): Map<string, T> {
  const kept = [...stored].filter(([id]) => !deletes.includes(id));
  return new Map([...kept, ...upserts.map((record): [string, T] => [record.id, record])]);
}

/** A world with the given records. */
export const worldOf = (upserts: Partial<ImportPlan['upserts']>, uiMetadata = UNSET_UI_METADATA): World => {
  const none = forEachKind(() => []);
  const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  return applyPlan(EMPTY, {
    upserts: { ...none, ...upserts },
    deletes: none,
    uiMetadata,
    branding: null,
    signIn: {},
    rulebookChanged: false,
    counts: {
      entitlement: counts,
      accessProfile: counts,
      role: counts,
      identityProfile: counts,
      source: counts,
      identity: counts,
      account: counts,
      sodPolicy: counts,
      control: counts,
      uiMetadata: counts,
      branding: counts,
      lockoutConfig: counts,
      sessionConfig: counts,
      networkConfig: counts,
    },
    focus: null,
    warnings: [],
    repeated: [],
  });
};

/** The data that a store reads for an import by an identity; null for an application. */
export function gather(
  { stored, uiMetadata, branding, signIn }: World,
  records: readonly ImportRecord[],
  callerId: string | null = null,
): ImportBase {
  const { touched, deleted, referenced, uids } = importFootprint(records);
  return {
    stored: {
      entitlement: only(stored.entitlement, touched.entitlement),
      accessProfile: only(stored.accessProfile, touched.accessProfile),
      role: only(stored.role, touched.role),
      identityProfile: only(stored.identityProfile, touched.identityProfile),
      source: only(stored.source, touched.source),
      identity: only(stored.identity, touched.identity),
      account: only(stored.account, touched.account),
      sodPolicy: only(stored.sodPolicy, touched.sodPolicy),
      control: only(stored.control, touched.control),
    },
    uiMetadata,
    branding,
    signIn,
    existing: forEachKind((kind) => new Set([...referenced[kind]].filter((id) => stored[kind].has(id)))),
    inUse: referencesIn(stored).filter(({ from, to }) => !has(touched, from) && has(deleted, to)),
    sourceCount: stored.source.size,
    otherOrgAdmins: [...stored.identity.values()].some(
      ({ id, active, capabilities }) => active && capabilities.includes('ORG_ADMIN') && !touched.identity.has(id),
    ),
    appliedControls: new Set(),
    uidHolders: new Map(
      [...stored.identity.values()]
        .filter(({ id, uid }) => !touched.identity.has(id) && uids.has(foldUid(uid)))
        .map(({ id, uid }) => [foldUid(uid), id]),
    ),
    profileMembers: new Map(
      [...touched.identityProfile].map((profile) => {
        const members = [...stored.identity.values()].filter(({ identityProfile }) => identityProfile === profile);
        const capabilities = members.flatMap((member) => member.capabilities);
        return [profile, { capabilities, includeCaller: members.some(({ id }) => id === callerId) }];
      }),
    ),
  };
}

const only = <T>(stored: ReadonlyMap<string, T>, ids: ReadonlySet<string>): Map<string, T> =>
  new Map([...stored].filter(([id]) => ids.has(id)));

const has = (ids: Readonly<Record<string, ReadonlySet<string>>>, { kind, id }: Reference['from']): boolean =>
  ids[kind]?.has(id) ?? false;

/** Every reference of stored records except those of policies. */
export function referencesIn({ accessProfile, role, identity }: StoredRecords): Reference[] {
  const refer = (from: Reference['from'], kind: StoredKind, ids: readonly string[]) =>
    ids.map((id) => ({ from, to: { kind, id } }));
  return [
    ...[...accessProfile.values()].flatMap(({ id, entitlements }) =>
      refer({ kind: 'accessProfile', id }, 'entitlement', entitlements),
    ),
    ...[...role.values()].flatMap(({ id, accessProfiles, entitlements }) => [
      ...refer({ kind: 'role', id }, 'accessProfile', accessProfiles),
      ...refer({ kind: 'role', id }, 'entitlement', entitlements),
    ]),
    ...[...identity.values()].flatMap(({ id, identityProfile, access }) => [
      ...refer({ kind: 'identity', id }, 'identityProfile', [identityProfile]),
      ...access.flatMap((ref) => refer({ kind: 'identity', id }, kindOf(ref), [ref.id])),
    ]),
  ];
}

function kindOf({ type }: AccessRef): StoredKind {
  if (type === 'ENTITLEMENT') return 'entitlement';
  return type === 'ACCESS_PROFILE' ? 'accessProfile' : 'role';
}

/** Records as the lines 1, 2, … of an import. */
export const linesOf = (...records: readonly AccessModelRecord[]): ImportRecord[] =>
  records.map((record, index) => ({ line: index + 1, record }));

const PERSON = {
  identityProfile: 'ip-1',
  displayName: 'ada',
  alias: 'ada',
  firstname: null,
  lastname: null,
  email: null,
  personalEmail: null,
  phone: null,
  workPhone: null,
  identificationNumber: null,
  lastPasswordChangeDate: null,
  lastLoginTimestamp: null,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
};

/** An import record of an identity, by default without capabilities and access. */
export const identityRecord = (id: string, change: Partial<Identity> = {}) =>
  ({ kind: 'identity', id, ...PERSON, uid: id, ...change }) as const;

/** A stored identity. */
export const storedIdentity = (id: string, change: Partial<Identity> = {}): Identity => ({
  id,
  ...PERSON,
  uid: id,
  active: true,
  capabilities: [],
  access: [],
  ...change,
});

/** An import record of a policy over entitlements. */
export const policyRecord = (id: string, left: readonly string[], right: readonly string[]) =>
  ({ kind: 'sodPolicy', ...policyFields(id, left, right) }) as const;

/** An import record of a k-of-n policy over entitlements. */
export const kOfNRecord = (id: string, atLeast: number, sides: readonly (readonly string[])[]) =>
  ({ ...policyRecord(id, [], []), conflictingAccessCriteria: { criteria: sides.map(side), atLeast } }) as const;

/** A policy without `created` and `modified`. */
export const policyFields = (id: string, left: readonly string[], right: readonly string[]) =>
  ({
    id,
    name: `Policy ${id}`,
    description: null,
    state: 'ENFORCED',
    level: 'HIGH',
    type: 'CONFLICTING_ACCESS_BASED',
    conflictingAccessCriteria: { leftCriteria: side(left), rightCriteria: side(right) },
    externalPolicyReference: null,
    compensatingControls: null,
    correctionAdvice: null,
    tags: [],
    ownerRef: null,
    ...UNSET_POLICY_FIELDS,
  }) as const;

const side = (ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id, name: null }) as const),
});
