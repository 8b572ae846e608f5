import type { Attributes } from '../access/model/attributes.ts';
import type {
  AccessProfile,
  Entitlement,
  Identity,
  IdentityProfile,
  Role,
  TimedAccessRef,
} from '../access/model/records.ts';
import type { AccountCorrelation, AccountFields, ManualLink } from '../access/sources/account.ts';
import type { Source, SourceFields } from '../access/sources/source.ts';
import type { AuthProfileSettings } from '../administration/auth-profile.ts';
import type { Branding, BrandingUpdate } from '../administration/branding.ts';
import type { Capability } from '../administration/capability.ts';
import type { ProfileMembers } from '../administration/protected-identity.ts';
import type { LockoutConfig } from '../administration/sign-in/lockout-config.ts';
import type { NetworkConfig } from '../administration/sign-in/network-config.ts';
import type { SessionConfig } from '../administration/sign-in/session-config.ts';
import type { SignInSettings } from '../administration/sign-in/settings.ts';
import type { UiMetadata, UiMetadataUpdate } from '../administration/ui-metadata.ts';
import type { ControlFields } from '../governance/controls/change.ts';
import type { Control } from '../governance/controls/model.ts';
import type { PolicyFinding } from '../governance/lint/finding.ts';
import type { SodPolicy } from '../policies/model.ts';
import type { LintFocus } from '../sod/index.ts';

/** The kinds of record, in the order in which an export writes them and an import can read them. */
export const RECORD_KINDS = [
  'entitlement',
  'accessProfile',
  'role',
  'identityProfile',
  'source',
  'identity',
  'account',
  'sodPolicy',
  'control',
  'uiMetadata',
  'branding',
  'lockoutConfig',
  'sessionConfig',
  'networkConfig',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A policy in an import record. */
export type SodPolicyFields = Omit<SodPolicy, 'created' | 'modified' | 'creatorId' | 'modifierId'>;

/** An identity in an import record: `active`, `capabilities`, `access`, `attributes` and `externalId` keep their stored values when they are left out. */
export type IdentityFields = Omit<Identity, 'active' | 'capabilities' | 'access'> & {
  readonly active?: boolean;
  readonly capabilities?: readonly Capability[];
  readonly access?: readonly TimedAccessRef[];
};

/** An identity profile in an import record: settings keep their stored values when they are left out. */
export interface IdentityProfileFields {
  readonly id: string;
  readonly name: string;
  readonly authProfile?: Partial<AuthProfileSettings>;
}

/** An account in an import, as it is stored. */
export interface AccountOfImport extends Omit<AccountFields, 'id'> {
  /** Its source and its id there, as `accountRef` joins them. */
  readonly id: string;
  readonly source: string;
  /** Its id in the source. */
  readonly account: string;
  /** Null where rules decide on its identity. */
  readonly manual: ManualLink | null;
  readonly madeIdentityId: string | null;
}

/** An account in an import record: its link, and the identity that it has made, stay as they are stored when they are left out. */
export type AccountOfRecord = Omit<AccountOfImport, 'manual' | 'madeIdentityId'> &
  Partial<Pick<AccountOfImport, 'manual' | 'madeIdentityId'>>;

/** An account in an export. An import of it restores how it came to its identity. */
export interface ExportedAccount {
  readonly kind: 'account';
  readonly source: string;
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly email?: string;
  readonly disabled: boolean;
  readonly attributes?: Attributes;
  readonly access: readonly TimedAccessRef[];
  readonly identityId: string | null;
  readonly correlation: AccountCorrelation;
  readonly madeIdentityId?: string;
}

/** One line of an export. */
export type ExportRecord = Exclude<AccessModelRecord, { readonly kind: 'account' }> | ExportedAccount;

/** The id of an account within its tenant. No source has a space in its id. */
export const accountRef = (source: string, account: string): string => `${source} ${account}`;

/** One line of an import with its defaults: an upsert or a delete. */
export type AccessModelRecord =
  | ({ readonly kind: 'entitlement' } & Entitlement)
  | ({ readonly kind: 'accessProfile' } & AccessProfile)
  | ({ readonly kind: 'role' } & Role)
  | ({ readonly kind: 'identityProfile' } & IdentityProfileFields)
  | ({ readonly kind: 'source' } & SourceFields)
  | ({ readonly kind: 'identity' } & IdentityFields)
  | ({ readonly kind: 'account' } & AccountOfRecord)
  | ({ readonly kind: 'sodPolicy' } & SodPolicyFields)
  | ({ readonly kind: 'control' } & ControlFields)
  | ({ readonly kind: 'uiMetadata'; readonly id: 'tenant' } & UiMetadataUpdate)
  | ({ readonly kind: 'branding'; readonly id: 'tenant' } & BrandingUpdate)
  | ({ readonly kind: 'lockoutConfig'; readonly id: 'tenant' } & Partial<LockoutConfig>)
  | ({ readonly kind: 'sessionConfig'; readonly id: 'tenant' } & Partial<SessionConfig>)
  | ({ readonly kind: 'networkConfig'; readonly id: 'tenant' } & Partial<NetworkConfig>)
  | { readonly kind: RecordKind; readonly id: string; readonly delete: true };

/** A record and the number of its line, from 1. */
export interface ImportRecord {
  readonly line: number;
  readonly record: AccessModelRecord;
}

/** The kind and id of a record. */
export interface RecordRef {
  readonly kind: RecordKind;
  readonly id: string;
}

/** A record that refers to another. */
export interface Reference {
  readonly from: RecordRef;
  readonly to: RecordRef;
}

/** The complete record of each kind that a tenant can have many of. */
export interface RecordByKind {
  readonly entitlement: Entitlement;
  readonly accessProfile: AccessProfile;
  readonly role: Role;
  readonly identityProfile: IdentityProfile;
  readonly source: Source;
  readonly identity: Identity;
  readonly account: AccountOfImport;
  readonly sodPolicy: SodPolicy;
  readonly control: Control;
}

/** Every kind except the settings, of which a tenant has only one record each. */
export type StoredKind = keyof RecordByKind;

/** The stored records of one kind by id. */
export type StoredRecords = { readonly [K in StoredKind]: ReadonlyMap<string, RecordByKind[K]> };

/** The stored data that an import depends on, read in its transaction. */
export interface ImportBase {
  /** The stored records that the import upserts or deletes. */
  readonly stored: StoredRecords;
  readonly uiMetadata: UiMetadata;
  readonly branding: Branding;
  readonly signIn: SignInSettings;
  /** The ids of the stored records that the import refers to without upserting or deleting them. */
  readonly existing: { readonly [K in StoredKind]: ReadonlySet<string> };
  /** References to records that the import deletes, from stored records other than policies that it neither upserts nor deletes. */
  readonly inUse: readonly Reference[];
  /** How many sources there are. */
  readonly sourceCount: number;
  /** Whether an identity that the import neither upserts nor deletes has `ORG_ADMIN`. */
  readonly otherOrgAdmins: boolean;
  /** The ids of the deleted controls that are applied to violations. */
  readonly appliedControls: ReadonlySet<string>;
  /** The ids of the identities that the import neither upserts nor deletes, by the folded uids that it gives to others. */
  readonly uidHolders: ReadonlyMap<string, string>;
  /** The identities of each identity profile that the import upserts; those of a profile without any may be left out. */
  readonly profileMembers: ReadonlyMap<string, ProfileMembers>;
}

/** How many records of one kind an import creates, updates and deletes, and how many are as they were. */
export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** The names of the kinds of record in warnings. */
export const RECORD_TYPES = {
  entitlement: 'ENTITLEMENT',
  accessProfile: 'ACCESS_PROFILE',
  role: 'ROLE',
  identityProfile: 'IDENTITY_PROFILE',
  source: 'SOURCE',
  identity: 'IDENTITY',
  account: 'ACCOUNT',
  sodPolicy: 'SOD_POLICY',
  control: 'CONTROL',
  uiMetadata: 'UI_METADATA',
  branding: 'BRANDING',
  lockoutConfig: 'LOCKOUT_CONFIG',
  sessionConfig: 'SESSION_CONFIG',
  networkConfig: 'NETWORK_CONFIG',
} as const satisfies Record<RecordKind, string>;

/** A warning: several lines of an import give the same record, of which the last counts. */
export interface RepeatedRecord {
  readonly code: 'REPEATED_RECORD';
  readonly severity: 'WARNING';
  /** The id of a policy; null for the other kinds. */
  readonly policyId: string | null;
  readonly ref: { readonly type: (typeof RECORD_TYPES)[RecordKind]; readonly id: string };
  readonly related: readonly [];
  readonly text: string;
}

/** A warning: a given policy names an entitlement that does not exist. */
export interface UnknownItem {
  readonly code: 'UNKNOWN_ITEM';
  readonly severity: 'WARNING';
  readonly policyId: string;
  readonly ref: { readonly type: 'ENTITLEMENT'; readonly id: string };
  readonly related: readonly [];
  readonly text: string;
}

/** A warning: an account of an authoritative source could make no identity. */
export interface AccountWithoutIdentity {
  readonly code: 'ACCOUNT_WITHOUT_IDENTITY';
  readonly severity: 'WARNING';
  readonly policyId: null;
  /** Its source and its id there, with a space between them. */
  readonly ref: { readonly type: 'ACCOUNT'; readonly id: string };
  readonly related: readonly [];
  readonly text: string;
}

/** A warning of an import: a finding of lint, an item that does not exist, lines that give the same record, or an account without an identity. */
export type ImportWarning = PolicyFinding | UnknownItem | RepeatedRecord | AccountWithoutIdentity;

/** What an import changes, as complete records: the store only executes it. */
export interface ImportPlan {
  readonly upserts: { readonly [K in StoredKind]: readonly RecordByKind[K][] };
  readonly deletes: { readonly [K in StoredKind]: readonly string[] };
  /** Null when the import does not change it. */
  readonly uiMetadata: UiMetadata | null;
  /** Null when the import does not change it. */
  readonly branding: Branding | null;
  /** Those that the import changes. */
  readonly signIn: Partial<SignInSettings>;
  /** Whether the policy-set version must be increased. */
  readonly rulebookChanged: boolean;
  readonly counts: { readonly [K in RecordKind]: ImportCounts };
  /** The focus of lint after the import; null when there is nothing to lint. */
  readonly focus: LintFocus | null;
  /** Warnings that need no rulebook: items of the imported policies that do not exist. */
  readonly warnings: readonly (PolicyFinding | UnknownItem)[];
  /** Warnings of records that several lines give. */
  readonly repeated: readonly RepeatedRecord[];
}
