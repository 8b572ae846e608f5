import type { ShownExternalData } from '../access/model/attributes.ts';
import type { Grant } from '../access/model/grants.ts';
import type { NamedRef } from '../access/model/named-ref.ts';
import type { AccessType } from '../access/model/records.ts';
import type { AuthUser } from '../administration/auth-user.ts';

/** An entitlement with what other systems say of it. */
export interface ShownEntitlement extends ShownExternalData {
  readonly id: string;
  readonly name: string;
  readonly source: string | null;
  readonly grants: readonly Grant[];
}

/** An access profile with the names of its content. */
export interface ShownAccessProfile extends ShownExternalData {
  readonly id: string;
  readonly name: string;
  readonly entitlements: readonly NamedRef<'ENTITLEMENT'>[];
}

/** A role with the names of its content. */
export interface ShownRole extends ShownAccessProfile {
  readonly accessProfiles: readonly NamedRef<'ACCESS_PROFILE'>[];
}

/** The present violations of an identity, as the register counts them. */
export interface ViolationCounts {
  readonly open: number;
  readonly mitigated: number;
}

/** An identity of a list. */
export interface ListedIdentity extends Omit<AuthUser, 'tenant' | 'profile'>, ShownExternalData {
  readonly identityProfile: NamedRef<'IDENTITY_PROFILE'>;
  readonly active: boolean;
  readonly violations: ViolationCounts;
}

/** An assignment with the name of its target. A missing bound of its window is null. */
export interface ShownAssignment extends NamedRef<AccessType> {
  /** ISO 8601 in UTC with milliseconds. */
  readonly start: string | null;
  readonly end: string | null;
  /** The source and the account that it comes from; left out for one of the identity's own record. */
  readonly source?: string;
  readonly accountKey?: string;
}

/** An identity with its assignments, in the order in which it was imported with them: first those of its own record, then those of its accounts. */
export interface ShownIdentity extends ListedIdentity {
  readonly assignments: readonly ShownAssignment[];
}

/** An assignment by which an identity holds something. */
export interface AccessHolder {
  readonly identity: NamedRef<'IDENTITY'>;
  /** The shortest way from the assignment down to, and without, what is held: empty for a direct assignment. */
  readonly via: readonly NamedRef<AccessType>[];
  /** ISO 8601 in UTC with milliseconds; null without a bound. */
  readonly start: string | null;
  readonly end: string | null;
}
