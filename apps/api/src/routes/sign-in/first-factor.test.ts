import type { SignInDecision } from '@access-admin/domain';
import type { SignInIdentity } from '@access-admin/store';
import { expect, test } from 'vitest';
import { contextOf } from '../../../test/context-of.ts';
import type { PageEnv } from '../../env.ts';
import { createSpeech } from '../../sign-in/pages/speech.ts';
import type { ProvenSignIn } from '../../sign-in-steps/link-provenance.ts';
import type { PendingState } from '../../sign-in-steps/pending.ts';
import { proceedAfterFirstFactor } from './first-factor.ts';

const IDENTITY: SignInIdentity = {
  id: 'i-ada',
  uid: 'ada',
  displayName: null,
  capabilities: [],
  authProfile: null,
  password: null,
  totp: null,
  passkeys: [],
  recoveryCodes: null,
  lockedUntil: null,
};
const TOTP = { secret: 'sealed', lastStep: 0, created: '2026-03-01T12:00:00.000Z', usedLink: null };

/** Goes on after a first factor that an application has verified; returns what came of it. */
async function proceed(decision: SignInDecision['decision'], identity: SignInIdentity) {
  const begun: PendingState[] = [];
  const completed: ProvenSignIn[] = [];
  const decided: SignInDecision = { decision, reasons: [], authProfile: null, verifiedBy: 'APPLICATION' };
  const c = contextOf<PageEnv>();
  c.set('speech', createSpeech('en'));
  const answer = await proceedAfterFirstFactor(
    c,
    { identity, decision: decided, to: '/account' },
    {
      pending: {
        begin: async (_, __, state) => {
          begun.push(state);
          return 'a-state';
        },
      },
      complete: async (_, proven) => {
        completed.push(proven);
        return true;
      },
    },
  );
  return {
    status: answer?.status,
    location: answer?.headers.get('location'),
    text: await answer?.text(),
    begun,
    completed,
  };
}

test('an application is the first factor of a session', async () => {
  const { status, location, begun, completed } = await proceed('ALLOW', IDENTITY);
  expect([status, location]).toEqual([303, '/account']);
  expect([begun, completed]).toEqual([
    [],
    [{ identityId: 'i-ada', factors: ['APPLICATION'], linkGeneration: null, usedLink: null }],
  ]);
});

test('an enrolled second factor is demanded after an application', async () => {
  const { status, location, begun, completed } = await proceed('SECOND_FACTOR', { ...IDENTITY, totp: TOTP });
  expect([status, location]).toEqual([303, '/login/second-factor?state=a-state']);
  expect(begun).toMatchObject([{ step: 'SECOND_FACTOR', factors: ['APPLICATION'], to: '/account' }]);
  expect(completed).toEqual([]);
});

test('there is no session where a second factor is needed after an application and none is enrolled', async () => {
  const { status, text, begun, completed } = await proceed('SECOND_FACTOR', IDENTITY);
  expect(status).toBe(403);
  expect(text).toContain('A second factor is needed');
  expect([begun, completed]).toEqual([[], []]);
});
