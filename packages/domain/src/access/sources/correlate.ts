import { foldUid } from '../../administration/fold-uid.ts';
import type { Identity } from '../model/records.ts';
import { type AccountFields, type AccountLink, CANDIDATES_MAX, type ManualLink } from './account.ts';
import { ATTRIBUTE_PREFIX, type CorrelationRule } from './source.ts';

/** A field of identities, and a text in the form in which it is compared. */
export interface CorrelationKey {
  readonly field: string;
  readonly value: string;
}

/** An identity as rules see it. */
export type CorrelatedIdentity = Pick<
  Identity,
  'id' | 'uid' | 'email' | 'externalId' | 'identificationNumber' | 'attributes'
>;

/** The form in which texts are compared: without differences of case, composition and outer spaces. Null where nothing is left. */
export function comparedText(text: string | null | undefined): string | null {
  const folded = foldUid((text ?? '').trim());
  return folded === '' ? null : folded;
}

/** What an account looks for, rule by rule; null for a rule whose field it lacks. */
export const keysOfAccount = (
  account: Pick<AccountFields, 'id' | 'name' | 'email' | 'attributes'>,
  rules: readonly CorrelationRule[],
): readonly (CorrelationKey | null)[] =>
  rules.map(({ account: from, identity: field }) => {
    const value = comparedText(accountText(account, from));
    return value === null ? null : { field, value };
  });

/** What an identity is found by, given the fields that rules compare. */
export const keysOfIdentity = (identity: CorrelatedIdentity, fields: Iterable<string>): readonly CorrelationKey[] =>
  [...fields].flatMap((field) => {
    const value = comparedText(identityText(identity, field));
    return value === null ? [] : [{ field, value }];
  });

function accountText(account: Pick<AccountFields, 'id' | 'name' | 'email' | 'attributes'>, field: string) {
  if (field === 'id' || field === 'name' || field === 'email') return account[field];
  return attributeOf(account.attributes, field);
}

function identityText(identity: CorrelatedIdentity, field: string) {
  if (field === 'id' || field === 'uid' || field === 'email' || field === 'identificationNumber')
    return identity[field];
  return field === 'externalId' ? identity.externalId : attributeOf(identity.attributes, field);
}

function attributeOf(attributes: Readonly<Record<string, string>> | undefined, field: string): string | null {
  const name = field.slice(ATTRIBUTE_PREFIX.length);
  return attributes !== undefined && Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null;
}

/** What the correlation of an account depends on. */
export interface Correlating {
  readonly manual: ManualLink | null;
  /** As `keysOfAccount` has them. */
  readonly keys: readonly (CorrelationKey | null)[];
  /** The identity that the account has made, if that exists; else null. */
  readonly made: string | null;
}

/**
 * The link of an account: the one made by hand; else by the first rule that finds exactly one identity; else by none, where a
 * rule finds several; else to the identity that the account has made. `find` returns the ids of the identities with a key in
 * code-unit order, and need not return more than the candidates that are shown.
 */
export function correlate(
  { manual, keys, made }: Correlating,
  find: (key: CorrelationKey) => readonly string[],
): AccountLink {
  if (manual !== null) return { identityId: manual.identityId, correlation: 'MANUAL', candidates: [] };
  let several: readonly string[] = [];
  for (const key of keys) {
    const found = key === null ? [] : find(key);
    const [identityId = null] = found;
    if (found.length === 1) return { identityId, correlation: 'RULE', candidates: [] };
    if (several.length === 0) several = found;
  }
  if (several.length > 0)
    return { identityId: null, correlation: 'AMBIGUOUS', candidates: several.slice(0, CANDIDATES_MAX) };
  return { identityId: made, correlation: made === null ? 'NONE' : 'RULE', candidates: [] };
}
