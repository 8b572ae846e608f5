import { hasCompatibilityForms } from '../../administration/fold-uid.ts';
import { externalDataOf } from '../model/attributes.ts';
import { type Identity, isResourceId } from '../model/records.ts';
import type { AccountFields } from './account.ts';

/** The profile of identities that a source makes where it names none. */
export const EMPLOYEES = { id: 'employees', name: 'Employees' } as const;

/** The longest uid, in characters. */
const UID_LENGTH_MAX = 256;

/** The fields of an identity that an authoritative source decides on. */
type Kept = 'displayName' | 'email' | 'attributes';

const keptOf = ({ name, displayName, email, attributes }: AccountFields): Pick<Identity, Kept> => ({
  displayName: displayName ?? name,
  email,
  ...externalDataOf(attributes === undefined ? {} : { attributes }),
});

/** An identity as the authoritative source of one of its accounts has it. */
export function keepAsAccount({ attributes: _, ...identity }: Identity, account: AccountFields): Identity {
  const { displayName, email, ...attributes } = keptOf(account);
  return { ...identity, displayName, email, ...attributes };
}

/** The identity that an account of an authoritative source makes. `newId` is used where the account's own is no id of a record. */
export const makeIdentity = (
  account: AccountFields,
  { identityProfile, newId }: { readonly identityProfile: string; readonly newId: () => string },
): Identity => ({
  id: isResourceId(account.id) ? account.id : newId(),
  uid: account.name,
  identityProfile,
  alias: account.name,
  firstname: null,
  lastname: null,
  personalEmail: null,
  phone: null,
  workPhone: null,
  identificationNumber: null,
  lastPasswordChangeDate: null,
  lastLoginTimestamp: null,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
  active: true,
  capabilities: [],
  access: [],
  ...keptOf(account),
});

/** Why an account cannot make an identity with its name as the uid; null where it can, unless another identity has it. */
export function faultOfUid(name: string): string | null {
  if ([...name].length > UID_LENGTH_MAX)
    return `cannot make an identity: its name has more than the ${UID_LENGTH_MAX} characters of a uid`;
  return hasCompatibilityForms(name)
    ? 'cannot make an identity: its name has characters that stand for others, which no uid has'
    : null;
}
