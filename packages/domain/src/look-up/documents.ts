import { timedAccessRef } from '../access/model/interval.ts';
import type { IdentityProfile } from '../access/model/records.ts';
import { type RecordDocument, type SingleKind, sortedDocument } from '../import/one-record.ts';
import type { ShownAccessProfile, ShownEntitlement, ShownIdentity, ShownRole } from './records.ts';

/** The documents of records as look-ups show them. */
export const DOCUMENTS_OF_SHOWN: { readonly [K in SingleKind]: (shown: ShownByKind[K]) => RecordDocument } = {
  entitlement: ({ id: _, ...fields }) => sortedDocument(fields),
  accessProfile: ({ id: _, entitlements, ...fields }) =>
    sortedDocument({ ...fields, entitlements: entitlements.map(idOf) }),
  role: ({ id: _, entitlements, accessProfiles, ...fields }) =>
    sortedDocument({ ...fields, entitlements: entitlements.map(idOf), accessProfiles: accessProfiles.map(idOf) }),
  identityProfile: ({ id: _, ...fields }) => sortedDocument(fields),
  identity: ({ id: _, violations: __, identityProfile, assignments, ...fields }) =>
    sortedDocument({
      ...fields,
      identityProfile: identityProfile.id,
      // Its own record has no access of accounts.
      access: assignments.flatMap(({ type, id, start, end, accountKey }) =>
        accountKey === undefined ? timedAccessRef({ type, id }, { start, end }) : [],
      ),
    }),
};

/** What look-ups show of one record of a kind. */
interface ShownByKind {
  readonly entitlement: ShownEntitlement;
  readonly accessProfile: ShownAccessProfile;
  readonly role: ShownRole;
  readonly identityProfile: IdentityProfile;
  readonly identity: ShownIdentity;
}

const idOf = ({ id }: { readonly id: string }): string => id;
