import type { SignInDecision } from '@access-admin/domain';
import type { SignInIdentity } from '@access-admin/store';
import { expect, test } from 'vitest';
import { redirectTo } from '../../pages/layout.ts';
import type { PageRequest } from '../../pages/mount.ts';
import type { ProvenSignIn } from '../../sign-in-steps/complete.ts';
import type { PendingState } from '../../sign-in-steps/pending.ts';
import { proceedAfterFirstFactor } from './first-factor.ts';

const IDENTITY: SignInIdentity = {
  ...{ id: 'i-ada', uid: 'ada', displayName: null, capabilities: [], authProfile: null, password: null, totp: null },
  ...{ passkeys: [], recoveryCodesLeft: 0, lockedUntil: null },
};
const TOTP = { secret: 'sealed', lastStep: 0 };

/** Goes on after a first factor that an application has verified; returns what came of it. */
async function proceed(decision: SignInDecision['decision'], identity: SignInIdentity) {
  const [begun, completed]: [PendingState[], ProvenSignIn[]] = [[], []];
  const decided: SignInDecision = { decision, reasons: [], authProfile: null, verifiedBy: 'APPLICATION' };
  const answer = await proceedAfterFirstFactor(
    {} as PageRequest,
    { identity, decision: decided, to: '/account' },
    {
      pending: {
        begin: async (_, __, state) => {
          begun.push(state);
          return 'sign-in=token';
        },
      },
      complete: async (_, proven) => {
        completed.push(proven);
        return redirectTo(proven.to);
      },
    },
  );
  return { answer, begun, completed };
}

test('an application is the first factor of a session', async () => {
  const { begun, completed } = await proceed('ALLOW', IDENTITY);
  expect([begun, completed]).toEqual([[], [{ identityId: 'i-ada', factors: ['APPLICATION'], to: '/account' }]]);
});

test('an enrolled second factor is demanded after an application', async () => {
  const { answer, begun, completed } = await proceed('SECOND_FACTOR', { ...IDENTITY, totp: TOTP });
  expect(answer).toMatchObject({ ...redirectTo('/login/second-factor'), cookies: ['sign-in=token'] });
  expect(begun).toMatchObject([{ step: 'SECOND_FACTOR', factors: ['APPLICATION'], to: '/account' }]);
  expect(completed).toEqual([]);
});

test('there is no session where a second factor is needed after an application and none is enrolled', async () => {
  const { answer, begun, completed } = await proceed('SECOND_FACTOR', IDENTITY);
  expect(answer).toMatchObject({ title: 'A second factor is needed', status: 403 });
  expect([begun, completed]).toEqual([[], []]);
});
