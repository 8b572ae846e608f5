import { withoutDuplicates } from '../model/assignments.ts';
import type { TimedAccessRef } from '../model/records.ts';
import type { AccountFields } from './account.ts';
import type { Source } from './source.ts';

/** Whether the access of an account of a source counts. */
export const grants = (
  { disabled }: Pick<AccountFields, 'disabled'>,
  { ignoreDisabled }: Pick<Source, 'ignoreDisabled'>,
) => !(disabled && ignoreDisabled);

/**
 * What an identity holds: the access of its own record, then that of its accounts, in their order. An assignment with the same
 * ref and window as an earlier one is left out.
 */
export const heldAccess = (
  own: readonly TimedAccessRef[],
  ofAccounts: readonly (readonly TimedAccessRef[])[],
): readonly TimedAccessRef[] => (ofAccounts.length === 0 ? own : withoutDuplicates([...own, ...ofAccounts.flat()]));
