import type {
  AccessProfile,
  AccessModelRecord as AnyRecord,
  Entitlement,
  Identity,
  IdentityProfileFields,
  ImportCounts,
  PolicyFinding,
  RecordKind,
  Role,
  SodCriteria,
  SodPolicyFields,
  UiMetadataUpdate,
} from '@access-admin/domain';

/** A record of the access model as an export writes it. */
export type AccessModelRecord = Exclude<AnyRecord, { readonly delete: true }>;

/** One line of an import: an upsert, or a delete by kind and id. What has a default may be left out. */
export type AccessModelInput =
  | ({ readonly kind: 'entitlement' } & Given<Entitlement, 'id' | 'name'>)
  | ({ readonly kind: 'accessProfile' } & AccessProfile)
  | ({ readonly kind: 'role' } & Given<Role, 'id' | 'name'>)
  | ({ readonly kind: 'identityProfile' } & IdentityProfileFields)
  | ({ readonly kind: 'identity' } & Given<Identity, 'id' | 'uid' | 'identityProfile'>)
  | ({ readonly kind: 'sodPolicy' } & SodPolicyInput)
  | ({ readonly kind: 'uiMetadata'; readonly id: 'tenant' } & UiMetadataUpdate)
  | { readonly kind: RecordKind; readonly id: string; readonly delete: true };

/** A policy as an import gives it. */
export interface SodPolicyInput extends Given<Omit<SodPolicyFields, 'conflictingAccessCriteria'>, 'id' | 'name'> {
  /** Two sides, or any number of them of which an identity must not hold `atLeast`. */
  readonly conflictingAccessCriteria:
    | { readonly leftCriteria: SideInput; readonly rightCriteria: SideInput }
    | { readonly criteria: readonly SideInput[]; readonly atLeast: number };
}

type SideInput = Given<SodCriteria, 'criteriaList'>;

/** `T` with the keys `K` required and all others optional. */
type Given<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

/** What an import did. */
export interface ImportAnswer {
  readonly counts: { readonly [K in RecordKind]: ImportCounts };
  /** Moves with every change of policies or of the catalogue that they refer to. */
  readonly policySetVersion: number;
  /** What lint tells of the policies, access profiles and roles that were given and of the entitlements that were deleted: the first 100. */
  readonly warnings: readonly PolicyFinding[];
}
