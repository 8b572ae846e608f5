import { withoutDuplicates } from '../model/assignments.ts';
import { type Attributes, type ExternalData, externalDataOf } from '../model/attributes.ts';
import type { AccessRef, TimedAccessRef } from '../model/records.ts';

/** How an account came to its identity, or why it has none. */
export const ACCOUNT_CORRELATIONS = ['RULE', 'MANUAL', 'NONE', 'AMBIGUOUS'] as const;
export type AccountCorrelation = (typeof ACCOUNT_CORRELATIONS)[number];

/** The longest id of an account in its source, in characters. */
export const ACCOUNT_ID_LENGTH_MAX = 512;

/** The most candidates that an account shows. */
export const CANDIDATES_MAX = 10;

/** What a source says of an account. */
export interface AccountFields extends Pick<ExternalData, 'attributes'> {
  /** Its id in the source. */
  readonly id: string;
  readonly name: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly disabled: boolean;
  readonly access: readonly TimedAccessRef[];
}

/** The identity that somebody has given an account by hand; null for none. */
export interface ManualLink {
  readonly identityId: string | null;
}

/** The identity of an account, and how it came to it. */
export interface AccountLink {
  /** Null where the account belongs to nobody, and so grants nothing. */
  readonly identityId: string | null;
  readonly correlation: AccountCorrelation;
  /** The ids of the first identities that are equally likely, in code-unit order; empty unless `AMBIGUOUS`. */
  readonly candidates: readonly string[];
}

/** A person, or a thing, in a source. */
export interface Account extends AccountFields, AccountLink {
  readonly key: string;
  readonly source: string;
  /** The identity that this account has made; null for none. It stays its identity where no rule finds another. */
  readonly madeIdentityId: string | null;
}

/** The link that was made by hand; null where rules decide. */
export const manualLinkOf = ({ correlation, identityId }: AccountLink): ManualLink | null =>
  correlation === 'MANUAL' ? { identityId } : null;

/** What the source of an account says of it. */
export const accountFieldsOf = ({
  id,
  name,
  displayName,
  email,
  disabled,
  attributes = {},
  access,
}: AccountFields): AccountFields => ({
  id,
  name,
  displayName,
  email,
  disabled,
  ...externalDataOf({ attributes }),
  access: withoutDuplicates(access),
});

/** An account as answers show it. */
export interface ShownAccount extends Omit<Account, 'attributes' | 'access' | 'madeIdentityId'> {
  readonly attributes: Attributes;
  /** A missing bound of a window is null. */
  readonly access: readonly (AccessRef & { readonly start: string | null; readonly end: string | null })[];
}

/** Shows an account: access without a window has null bounds. */
export const showAccount = ({
  key,
  source,
  id,
  name,
  displayName,
  email,
  disabled,
  attributes = {},
  access,
  identityId,
  correlation,
  candidates,
}: Account): ShownAccount => ({
  key,
  source,
  id,
  name,
  displayName,
  email,
  disabled,
  attributes,
  access: access.map((ref) => ({ type: ref.type, id: ref.id, start: ref.start ?? null, end: ref.end ?? null })),
  identityId,
  correlation,
  candidates,
});
