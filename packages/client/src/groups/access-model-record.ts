import type {
  AccessProfile,
  BrandingUpdate,
  Control,
  Entitlement,
  ExportedAccount,
  Identity,
  IdentityProfileFields,
  LockoutConfig,
  NetworkConfig,
  RecordKind,
  Role,
  SessionConfig,
  SodCriteria,
  SodPolicyFields,
  SourceFields,
  UiMetadataUpdate,
} from '@access-admin/contract';

/** One line of an import: an upsert, or a delete by kind and id. Properties with a default may be left out. */
export type AccessModelInput =
  | ({ readonly kind: 'entitlement' } & WithOptional<Entitlement, 'id' | 'name'>)
  | ({ readonly kind: 'accessProfile' } & AccessProfile)
  | ({ readonly kind: 'role' } & WithOptional<Role, 'id' | 'name'>)
  | ({ readonly kind: 'identityProfile' } & IdentityProfileFields)
  | ({ readonly kind: 'identity' } & WithOptional<Identity, 'id' | 'uid' | 'identityProfile'>)
  | ({ readonly kind: 'source' } & SourceInput)
  | ({ readonly kind: 'account' } & WithOptional<Omit<ExportedAccount, 'kind'>, 'source' | 'id'>)
  | ({ readonly kind: 'sodPolicy' } & SodPolicyInput)
  | ({ readonly kind: 'control' } & ControlInput)
  | ({ readonly kind: 'uiMetadata'; readonly id: 'tenant' } & UiMetadataUpdate)
  | ({ readonly kind: 'branding'; readonly id: 'tenant' } & BrandingUpdate)
  | ({ readonly kind: 'lockoutConfig'; readonly id: 'tenant' } & Partial<LockoutConfig>)
  | ({ readonly kind: 'sessionConfig'; readonly id: 'tenant' } & Partial<SessionConfig>)
  | ({ readonly kind: 'networkConfig'; readonly id: 'tenant' } & Partial<NetworkConfig>)
  | { readonly kind: Exclude<RecordKind, 'account'>; readonly id: string; readonly delete: true }
  | { readonly kind: 'account'; readonly source: string; readonly id: string; readonly delete: true };

/** One line of a part of a load. Properties with a default may be left out. */
export type LoadRecordInput =
  | Extract<AccessModelInput, { readonly kind: 'entitlement' | 'accessProfile' | 'role'; readonly delete?: never }>
  | ({ readonly kind: 'account' } & WithOptional<AccountOfLoad, 'id'>);

type AccountOfLoad = Omit<ExportedAccount, 'kind' | 'source' | 'identityId' | 'correlation' | 'madeIdentityId'>;

/** A policy in an import. */
export interface SodPolicyInput
  extends WithOptional<Omit<SodPolicyFields, 'conflictingAccessCriteria' | 'ownerRef'>, 'id' | 'name'> {
  readonly ownerRef?: OwnerInput | null;
  /**
   * Two sides, of which an identity must not be on both; more sides, of which it must not be on `atLeast` or more; or one side,
   * of which it must not hold any item.
   */
  readonly conflictingAccessCriteria:
    | { readonly leftCriteria: SideInput; readonly rightCriteria: SideInput }
    | { readonly criteria: readonly SideInput[]; readonly atLeast: number }
    | { readonly criteria: readonly [SideInput]; readonly atLeast?: 1 };
}

/** A compensating control in an import. */
export interface ControlInput
  extends WithOptional<
    Omit<Control, 'created' | 'modified' | 'owner' | 'secondaryOwners'>,
    'id' | 'name' | 'expiration'
  > {
  readonly owner?: OwnerInput | null;
  readonly secondaryOwners?: readonly OwnerInput[];
}

/** A source in an import. */
export type SourceInput = WithOptional<SourceFields, 'id' | 'name'>;

/** An identity as an owner. Its name is informative. */
export interface OwnerInput {
  readonly type: 'IDENTITY';
  readonly id: string;
  readonly name?: string | null;
}

type SideInput = WithOptional<SodCriteria, 'criteriaList'>;

/** `T` with the keys `K` required and all others optional. */
type WithOptional<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;
