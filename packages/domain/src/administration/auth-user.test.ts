import { expect, test } from 'vitest';
import { changeCapabilities } from './auth-user.ts';
import type { Caller } from './authorization.ts';

const CALLER: Caller = { tenant: 't', clientId: 'c', scopes: new Set(), identityId: null, capabilities: [] };
const ADA = {
  tenant: 't',
  id: 'ada',
  uid: 'ada',
  profile: 'ip',
  displayName: null,
  alias: null,
  firstname: null,
  lastname: null,
  email: null,
  personalEmail: null,
  phone: null,
  workPhone: null,
  identificationNumber: null,
  lastPasswordChangeDate: null,
  lastLoginTimestamp: null,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
  capabilities: ['ORG_ADMIN'],
} as const;

test('the last ORG_ADMIN keeps it, and the refusal tells what to do first', () => {
  expect(changeCapabilities({ user: ADA, otherOrgAdmins: false }, [], CALLER)).toMatchObject({
    ok: false,
    failure: {
      type: 'Conflict',
      causes: [
        {
          at: 'capabilities',
          text: 'is the last ORG_ADMIN of the tenant: give ORG_ADMIN to another identity first',
        },
      ],
    },
  });
  expect(changeCapabilities({ user: ADA, otherOrgAdmins: true }, [], CALLER)).toMatchObject({
    ok: true,
    value: { capabilities: [] },
  });
});
