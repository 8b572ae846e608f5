import { type AccountWithoutIdentity, accountRef } from './records.ts';

/** The most accounts that are named because they could make no identity, so that findings of lint have room beside them. */
export const ACCOUNTS_WITHOUT_IDENTITY_MAX = 20;

/** An account of an authoritative source that could make no identity, and why. */
interface AccountFault {
  readonly source: string;
  readonly id: string;
  readonly text: string;
}

/** Warnings of accounts that could make no identity; the last one tells how many more there are. */
export function tellAccountsWithoutIdentity(faults: readonly AccountFault[]): readonly AccountWithoutIdentity[] {
  const more = faults.length - ACCOUNTS_WITHOUT_IDENTITY_MAX;
  return faults.slice(0, ACCOUNTS_WITHOUT_IDENTITY_MAX).map(({ source, id, text }, at) => {
    const rest = at === ACCOUNTS_WITHOUT_IDENTITY_MAX - 1 && more > 0 ? ` ${more} more accounts could make none.` : '';
    return {
      code: 'ACCOUNT_WITHOUT_IDENTITY',
      severity: 'WARNING',
      policyId: null,
      ref: { type: 'ACCOUNT', id: accountRef(source, id) },
      related: [],
      text: `The account ${id} of the source ${source} ${text}.${rest}`,
    };
  });
}
