import type { AccessModelInput } from '@access-admin/client';

/** The identity that opens the pages of a world without people. */
export const ADMINISTRATOR = 'console-admin';

export const ADMINISTRATOR_RECORDS: readonly AccessModelInput[] = [
  { kind: 'identityProfile', id: 'console-staff', name: 'Staff' },
  {
    ...{ kind: 'identity', id: ADMINISTRATOR, uid: ADMINISTRATOR, displayName: 'Ada Admin' },
    ...{ identityProfile: 'console-staff', capabilities: ['ORG_ADMIN'] },
  },
];
