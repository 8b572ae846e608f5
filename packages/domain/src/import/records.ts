import type {
  AccessProfile,
  Entitlement,
  Identity,
  IdentityProfile,
  Role,
  TimedAccessRef,
} from '../access-model/records.ts';
import type { AuthProfileSettings } from '../administration/auth-profile.ts';
import type { Capability } from '../administration/capability.ts';
import type { UiMetadata, UiMetadataUpdate } from '../administration/ui-metadata.ts';
import type { PolicyFinding } from '../lint/finding.ts';
import type { LintFocus } from '../lint/focus.ts';
import type { SodPolicy } from '../policy/model.ts';

/** The kinds of record, in the order in which an export writes them and an import can read them. */
export const RECORD_KINDS = [
  'entitlement',
  'accessProfile',
  'role',
  'identityProfile',
  'identity',
  'sodPolicy',
  'uiMetadata',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The fields of a policy as an import record gives them. */
export type SodPolicyFields = Omit<SodPolicy, 'created' | 'modified'>;

/** An identity as an import record gives it: `capabilities` and `access` left out stay as they are. */
export type IdentityFields = Omit<Identity, 'capabilities' | 'access'> & {
  readonly capabilities?: readonly Capability[];
  readonly access?: readonly TimedAccessRef[];
};

/** An identity profile as an import record gives it: settings left out stay as they are. */
export interface IdentityProfileFields {
  readonly id: string;
  readonly name: string;
  readonly authProfile?: Partial<AuthProfileSettings>;
}

/** One line of an import, defaults filled in: an upsert or a delete. */
export type AccessModelRecord =
  | ({ readonly kind: 'entitlement' } & Entitlement)
  | ({ readonly kind: 'accessProfile' } & AccessProfile)
  | ({ readonly kind: 'role' } & Role)
  | ({ readonly kind: 'identityProfile' } & IdentityProfileFields)
  | ({ readonly kind: 'identity' } & IdentityFields)
  | ({ readonly kind: 'sodPolicy' } & SodPolicyFields)
  | ({ readonly kind: 'uiMetadata'; readonly id: 'tenant' } & UiMetadataUpdate)
  | { readonly kind: RecordKind; readonly id: string; readonly delete: true };

/** A record with the number of the line that it came from, counted from 1. */
export interface ImportRecord {
  readonly line: number;
  readonly record: AccessModelRecord;
}

/** A record that refers to another. */
export interface Reference {
  readonly from: { readonly kind: RecordKind; readonly id: string };
  readonly to: { readonly kind: RecordKind; readonly id: string };
}

/** The stored records of one kind by id. */
export interface StoredRecords {
  readonly entitlement: ReadonlyMap<string, Entitlement>;
  readonly accessProfile: ReadonlyMap<string, AccessProfile>;
  readonly role: ReadonlyMap<string, Role>;
  readonly identityProfile: ReadonlyMap<string, IdentityProfile>;
  readonly identity: ReadonlyMap<string, Identity>;
  readonly sodPolicy: ReadonlyMap<string, SodPolicy>;
}

/** What an import is decided on, gathered in its transaction. */
export interface ImportBase {
  /** The stored records with an id that the import upserts or deletes. */
  readonly stored: StoredRecords;
  readonly uiMetadata: UiMetadata;
  /** `kind:id` of every stored record that the import refers to without upserting or deleting it. */
  readonly existing: ReadonlySet<string>;
  /** References to records that the import deletes, from stored records that it neither upserts nor deletes. Policies are left out. */
  readonly inUse: readonly Reference[];
  /** Identities with `ORG_ADMIN` that the import neither upserts nor deletes: whether there is any. */
  readonly otherOrgAdmins: boolean;
}

/** How many records of a kind an import made, replaced and removed. */
export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/** What an import changes, complete records only: nothing is left to decide. */
export interface ImportPlan {
  readonly upserts: {
    readonly entitlement: readonly Entitlement[];
    readonly accessProfile: readonly AccessProfile[];
    readonly role: readonly Role[];
    readonly identityProfile: readonly IdentityProfile[];
    readonly identity: readonly Identity[];
    readonly sodPolicy: readonly SodPolicy[];
  };
  readonly deletes: { readonly [K in Exclude<RecordKind, 'uiMetadata'>]: readonly string[] };
  /** Null when the import leaves it alone. */
  readonly uiMetadata: UiMetadata | null;
  /** Whether the policy-set version moves. */
  readonly rulebookChanged: boolean;
  readonly counts: { readonly [K in RecordKind]: ImportCounts };
  /** What lint is to tell of once the import is made; null for nothing. */
  readonly focus: LintFocus | null;
  /** What is known without the rest of the rulebook: items of the given policies that match nothing. */
  readonly warnings: readonly PolicyFinding[];
}
