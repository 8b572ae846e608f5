import type { SignInDecision } from '@access-admin/domain';
import type { Passkey } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { advance, type LinkProvenance, type SignInEvent, type SignInProgress } from './flow.ts';

const TOTP = { secret: 'sealed', lastStep: 0, created: '2026-03-01T12:00:00.000Z', usedLink: null };
const PASSKEY: Passkey = {
  id: 'k',
  name: 'Passkey 1',
  counter: 0,
  transports: [],
  created: '2026-03-01T12:00:00.000Z',
  lastUsed: null,
  publicKey: '',
};
const ADA = { id: 'i-ada', password: null, totp: null, passkeys: [] };
const WITH_APP = { ...ADA, totp: TOTP };
const NO_LINK: LinkProvenance = { linkGeneration: null, usedLink: null };
const NOTHING = { passwordHash: null, passkey: null };

const decided = (
  decision: SignInDecision['decision'],
  verifiedBy: SignInDecision['verifiedBy'] = 'PASSWORD',
): SignInDecision => ({ decision, reasons: [], authProfile: null, verifiedBy });

describe('after a first factor', () => {
  const prove = (decision: SignInDecision, identity: typeof ADA | typeof WITH_APP = ADA) =>
    advance(null, { type: 'FIRST_FACTOR_PROVEN', identity, decision, to: '/account' });

  test.each([
    ['PASSWORD', 'PASSWORD'],
    ['APPLICATION', 'APPLICATION'],
  ] as const)('of %s a session begins where it is enough', (verifiedBy, factor) => {
    expect(prove(decided('ALLOW', verifiedBy))).toEqual({
      next: 'SESSION',
      signIn: { identityId: 'i-ada', factors: [factor], ...NO_LINK },
      to: '/account',
      enrol: null,
    });
  });

  test('an enrolled second factor is asked for where one is needed', () => {
    expect(prove(decided('SECOND_FACTOR', 'APPLICATION'), WITH_APP)).toEqual({
      next: 'SECOND_FACTOR',
      identityId: 'i-ada',
      state: { step: 'SECOND_FACTOR', factors: ['APPLICATION'], to: '/account', enrol: null, challenge: null },
      provenance: NO_LINK,
    });
  });

  test('there is no session where a second factor is needed and none is enrolled', () => {
    expect(prove(decided('SECOND_FACTOR'))).toEqual({ next: 'REFUSED', reason: 'NO_SECOND_FACTOR' });
  });

  test('a password derives from the link that set it, and one of an application from none', () => {
    const password = { hash: '', changed: TOTP.created, usedLink: 'l' };
    const provenanceBy = (verifiedBy: SignInDecision['verifiedBy']) =>
      advance(null, {
        type: 'FIRST_FACTOR_PROVEN',
        identity: { ...ADA, password },
        decision: decided('ALLOW', verifiedBy),
        to: '/',
      });
    expect(provenanceBy('PASSWORD')).toMatchObject({ signIn: { usedLink: 'l' } });
    expect(provenanceBy('APPLICATION')).toMatchObject({ signIn: { usedLink: null } });
  });
});

describe('after a passkey', () => {
  const prove = (decision: SignInDecision) =>
    advance(null, { type: 'PASSKEY_PROVEN', identity: ADA, decision, usedLink: 'l', to: '/' });

  test.each([decided('ALLOW'), decided('SECOND_FACTOR'), decided('SECOND_FACTOR', 'APPLICATION')])(
    'a session begins: it is enough for %j',
    (decision) => {
      expect(prove(decision)).toMatchObject({
        next: 'SESSION',
        signIn: { factors: ['PASSKEY'], linkGeneration: null, usedLink: 'l' },
      });
    },
  );

  test('there is no session where an application verifies the identity and nothing more is needed', () => {
    expect(prove(decided('ALLOW', 'APPLICATION'))).toEqual({ next: 'REFUSED', reason: 'INSUFFICIENT' });
  });
});

describe('after a link', () => {
  const PROVENANCE = { linkGeneration: 3, usedLink: 'l' };
  const open = (
    decision: SignInDecision,
    enrol: Extract<SignInEvent, { type: 'LINK_OPENED' }>['enrol'],
    identity: typeof ADA | typeof WITH_APP = ADA,
  ) => advance(null, { type: 'LINK_OPENED', identity, decision, provenance: PROVENANCE, enrol });
  const WITH_PASSWORD = { passwordHash: 'h', passkey: null };
  const WITH_PASSKEY = { passwordHash: null, passkey: PASSKEY };

  test('an enrolled second factor is asked for before anything is stored, whatever is needed', () => {
    for (const decision of [decided('ALLOW'), decided('SECOND_FACTOR')])
      expect(open(decision, WITH_PASSWORD, WITH_APP)).toEqual({
        next: 'SECOND_FACTOR',
        identityId: 'i-ada',
        state: { step: 'SECOND_FACTOR', factors: ['LINK'], to: '/', enrol: WITH_PASSWORD, challenge: null },
        provenance: PROVENANCE,
      });
  });

  test.each([
    ['a password where it is enough', decided('ALLOW'), WITH_PASSWORD, ['LINK', 'PASSWORD']],
    ['a passkey where two factors are needed', decided('SECOND_FACTOR'), WITH_PASSKEY, ['LINK', 'PASSKEY']],
  ] as const)('a session begins with %s', (_, decision, enrol, factors) => {
    expect(open(decision, enrol)).toEqual({
      next: 'SESSION',
      signIn: { identityId: 'i-ada', factors, ...PROVENANCE },
      to: '/',
      enrol,
    });
  });

  test.each([
    ['a password', decided('SECOND_FACTOR'), WITH_PASSWORD, ['LINK', 'PASSWORD']],
    ['nothing, beside an application', decided('SECOND_FACTOR', 'APPLICATION'), NOTHING, ['LINK']],
  ] as const)('a second factor is enrolled beside %s where it is not enough', (_, decision, enrol, factors) => {
    expect(open(decision, enrol)).toEqual({
      next: 'ENROLMENT',
      identityId: 'i-ada',
      state: { step: 'ENROLMENT', factors, to: '/', challenge: null },
      provenance: PROVENANCE,
    });
  });
});

describe('after a second factor', () => {
  const asked = (provenance: LinkProvenance, enrol: typeof NOTHING | null = null): SignInProgress => ({
    identityId: 'i-ada',
    state: { step: 'SECOND_FACTOR', factors: ['PASSWORD'], to: '/x', enrol, challenge: null },
    provenance,
  });
  const prove = (progress: SignInProgress, usedLink: string | null = null) =>
    advance(progress, { type: 'SECOND_FACTOR_PROVEN', proven: { factor: 'TOTP', usedLink } });

  test('a session begins with both, and with what the link permits', () => {
    expect(prove(asked(NO_LINK, NOTHING))).toEqual({
      next: 'SESSION',
      signIn: { identityId: 'i-ada', factors: ['PASSWORD', 'TOTP'], ...NO_LINK },
      to: '/x',
      enrol: NOTHING,
    });
  });

  test.each([
    ['neither factor does', null, null, null],
    ['the first does alone', 'a', null, null],
    ['the second does alone', null, 'b', null],
    ['both do', 'a', 'b', 'b'],
  ])('the session derives from a used link where %s: %s, %s', (_, first, second, derived) => {
    expect(prove(asked({ linkGeneration: null, usedLink: first }), second)).toMatchObject({
      signIn: { linkGeneration: null, usedLink: derived },
    });
  });

  test('a sign-in that began with a link derives from it', () => {
    expect(prove(asked({ linkGeneration: 3, usedLink: 'a' }))).toMatchObject({
      signIn: { linkGeneration: 3, usedLink: 'a' },
    });
  });
});

test('a session begins with a second factor that is enrolled', () => {
  const progress: SignInProgress = {
    identityId: 'i-ada',
    state: { step: 'ENROLMENT', factors: ['LINK', 'PASSWORD'], to: '/', challenge: null },
    provenance: { linkGeneration: 3, usedLink: 'l' },
  };
  expect(advance(progress, { type: 'SECOND_FACTOR_ENROLLED', factor: 'TOTP' })).toEqual({
    next: 'SESSION',
    signIn: { identityId: 'i-ada', factors: ['LINK', 'PASSWORD', 'TOTP'], linkGeneration: 3, usedLink: 'l' },
    to: '/',
    enrol: null,
  });
});

describe('nobody goes on', () => {
  const BLOCK = decided('BLOCK');
  test.each<SignInEvent>([
    { type: 'FIRST_FACTOR_PROVEN', identity: WITH_APP, decision: BLOCK, to: '/' },
    { type: 'PASSKEY_PROVEN', identity: ADA, decision: BLOCK, usedLink: null, to: '/' },
    { type: 'LINK_OPENED', identity: WITH_APP, decision: BLOCK, provenance: NO_LINK, enrol: NOTHING },
  ])('whom the decision blocks: $type', (event) => {
    expect(advance(null, event)).toEqual({ next: 'REFUSED', reason: 'BLOCKED' });
  });

  const enrolling = { step: 'ENROLMENT', factors: [], to: '/', challenge: null } as const;
  const asking = { ...enrolling, step: 'SECOND_FACTOR', enrol: null } as const;
  const PROVEN: SignInEvent = { type: 'SECOND_FACTOR_PROVEN', proven: { factor: 'TOTP', usedLink: null } };
  const ENROLLED: SignInEvent = { type: 'SECOND_FACTOR_ENROLLED', factor: 'TOTP' };
  test.each<readonly [string, SignInProgress, SignInEvent]>([
    ['a second factor without a first', null, PROVEN],
    ['a second factor of nobody', { identityId: null, state: asking, provenance: NO_LINK }, PROVEN],
    ['a second factor while one is enrolled', { identityId: 'i', state: enrolling, provenance: NO_LINK }, PROVEN],
    ['a factor that is enrolled without a link', null, ENROLLED],
    ['a factor that is enrolled by nobody', { identityId: null, state: enrolling, provenance: NO_LINK }, ENROLLED],
    [
      'a factor that is enrolled while one is asked for',
      { identityId: 'i', state: asking, provenance: NO_LINK },
      ENROLLED,
    ],
    [
      'a second factor beside a passkey',
      { identityId: null, state: { step: 'PASSKEY', challenge: 'c' }, provenance: NO_LINK },
      PROVEN,
    ],
  ])('with %s', (_, progress, event) => {
    expect(advance(progress, event)).toEqual({ next: 'REFUSED', reason: 'OUT_OF_ORDER' });
  });
});
