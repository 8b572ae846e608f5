import type { SignInDecision } from '@access-admin/domain';
import type { Passkey, SignInFactor, SignInIdentity, StoredSession } from '@access-admin/store';
import type { OfferedFactors } from './pages/factor-forms.tsx';

/** What someone has done at a step of a sign-in, with the decision on the sign-in as it is then. */
export type SignInEvent =
  | {
      readonly type: 'FIRST_FACTOR_PROVEN';
      readonly identity: Pick<SignInIdentity, 'id' | 'password' | 'totp' | 'passkeys'>;
      readonly decision: SignInDecision;
      readonly to: string;
    }
  | {
      /** A passkey alone. */
      readonly type: 'PASSKEY_PROVEN';
      readonly identity: Pick<SignInIdentity, 'id'>;
      readonly decision: SignInDecision;
      readonly usedLink: string | null;
      readonly to: string;
    }
  | {
      readonly type: 'LINK_OPENED';
      readonly identity: Pick<SignInIdentity, 'id' | 'totp' | 'passkeys'>;
      readonly decision: SignInDecision;
      readonly provenance: LinkProvenance;
      readonly enrol: FactorToEnrol;
    }
  | { readonly type: 'SECOND_FACTOR_PROVEN'; readonly proven: ProvenFactor }
  | { readonly type: 'SECOND_FACTOR_ENROLLED'; readonly factor: SignInFactor };

/** Where a sign-in goes on. */
export type NextStep =
  /** A page asks for more. */
  | {
      readonly next: 'SECOND_FACTOR' | 'ENROLMENT';
      readonly identityId: string;
      readonly state: PendingAt<'SECOND_FACTOR' | 'ENROLMENT'>;
      readonly provenance: LinkProvenance;
    }
  /** A session begins. */
  | {
      readonly next: 'SESSION';
      readonly signIn: ProvenSignIn;
      readonly to: string;
      /** What is stored before. */
      readonly enrol: FactorToEnrol | null;
    }
  | { readonly next: 'REFUSED'; readonly reason: 'BLOCKED' | 'INSUFFICIENT' | 'NO_SECOND_FACTOR' | 'OUT_OF_ORDER' };

/** What is known of a sign-in before its next event; null at its beginning. */
export type SignInProgress = {
  /** Null until someone has been identified. */
  readonly identityId: string | null;
  readonly state: PendingState;
  readonly provenance: LinkProvenance;
} | null;

const refused = (reason: Extract<NextStep, { next: 'REFUSED' }>['reason']): NextStep => ({ next: 'REFUSED', reason });

/** The whole flow of a sign-in: where it goes on after an event. */
export function advance(progress: SignInProgress, event: SignInEvent): NextStep {
  if ('decision' in event && event.decision.decision === 'BLOCK') return refused('BLOCKED');
  switch (event.type) {
    case 'FIRST_FACTOR_PROVEN':
      return afterFirstFactor(event);
    case 'PASSKEY_PROVEN': {
      const { identity, decision, usedLink, to } = event;
      if (!passkeySuffices(decision)) return refused('INSUFFICIENT');
      return session({ identityId: identity.id, factors: ['PASSKEY'], linkGeneration: null, usedLink }, to);
    }
    case 'LINK_OPENED':
      return afterLink(event);
    case 'SECOND_FACTOR_PROVEN': {
      if (progress?.state.step !== 'SECOND_FACTOR' || progress.identityId === null) return refused('OUT_OF_ORDER');
      const { identityId, state, provenance } = progress;
      const factors = [...state.factors, event.proven.factor];
      const derived = provenanceAfterSecondFactor(provenance, event.proven);
      return session({ identityId, factors, ...derived }, state.to, state.enrol);
    }
    case 'SECOND_FACTOR_ENROLLED': {
      if (progress?.state.step !== 'ENROLMENT' || progress.identityId === null) return refused('OUT_OF_ORDER');
      const { identityId, state, provenance } = progress;
      return session({ identityId, factors: [...state.factors, event.factor], ...provenance }, state.to);
    }
  }
}

const session = (signIn: ProvenSignIn, to: string, enrol: FactorToEnrol | null = null): NextStep => ({
  next: 'SESSION',
  signIn,
  to,
  enrol,
});

function afterFirstFactor({ identity, decision, to }: EventOf<'FIRST_FACTOR_PROVEN'>): NextStep {
  const isByApplication = decision.verifiedBy === 'APPLICATION';
  const factors = [isByApplication ? 'APPLICATION' : 'PASSWORD'] as const;
  const usedLink = isByApplication ? null : (identity.password?.usedLink ?? null);
  const provenance = { linkGeneration: null, usedLink };
  if (decision.decision === 'ALLOW') return session({ identityId: identity.id, factors, ...provenance }, to);
  if (!hasSecondFactor(identity)) return refused('NO_SECOND_FACTOR');
  const state = { step: 'SECOND_FACTOR', factors, to, enrol: null, challenge: null } as const;
  return { next: 'SECOND_FACTOR', identityId: identity.id, state, provenance };
}

/** An enrolled second factor is asked for before anything is stored; if one is needed but missing, it is enrolled. */
function afterLink({ identity, decision, provenance, enrol }: EventOf<'LINK_OPENED'>): NextStep {
  const identityId = identity.id;
  const to = '/';
  if (hasSecondFactor(identity)) {
    const state = { step: 'SECOND_FACTOR', factors: ['LINK'], to, enrol, challenge: null } as const;
    return { next: 'SECOND_FACTOR', identityId, state, provenance };
  }
  const factors: readonly SignInFactor[] = [
    'LINK',
    ...(enrol.passwordHash === null ? [] : (['PASSWORD'] as const)),
    ...(enrol.passkey === null ? [] : (['PASSKEY'] as const)),
  ];
  if (decision.decision === 'ALLOW' || (enrol.passkey !== null && passkeySuffices(decision)))
    return session({ identityId, factors, ...provenance }, to, enrol);
  return { next: 'ENROLMENT', identityId, state: { step: 'ENROLMENT', factors, to, challenge: null }, provenance };
}

type EventOf<T extends SignInEvent['type']> = Extract<SignInEvent, { type: T }>;

/** New factors that a link permits. If a second factor is enrolled, they are stored once it is proven. */
export interface FactorToEnrol {
  readonly passwordHash: string | null;
  readonly passkey: Passkey | null;
}

/** The step that the browser is at, with its data. */
export type PendingState =
  | {
      readonly step: 'SECOND_FACTOR';
      readonly factors: readonly SignInFactor[];
      readonly to: string;
      readonly enrol: FactorToEnrol | null;
      readonly challenge: string | null;
    }
  | {
      readonly step: 'ENROLMENT';
      readonly factors: readonly SignInFactor[];
      readonly to: string;
      readonly challenge: string | null;
    }
  | { readonly step: 'PASSKEY'; readonly challenge: string }
  | {
      readonly step: 'APPLICATION';
      readonly applicationId: string;
      readonly to: string;
      readonly state: string;
      readonly nonce: string;
      readonly codeVerifier: string;
    }
  | { readonly step: 'LINK'; readonly link: string; readonly challenge: string }
  | {
      readonly step: 'ACCOUNT';
      readonly purpose: 'CONFIRM' | 'ADD_PASSKEY';
      readonly sessionId: string;
      readonly challenge: string;
    };

export type PendingStep = PendingState['step'];

export type PendingAt<S extends PendingStep> = Extract<PendingState, { readonly step: S }>;

/** The sign-in links that a sign-in derives from. Revoking one ends the sign-in and its session. */
export type LinkProvenance = Required<Pick<StoredSession, 'linkGeneration' | 'usedLink'>>;

/** A sign-in whose factors are all proven. */
export interface ProvenSignIn extends LinkProvenance {
  readonly identityId: string;
  readonly factors: readonly SignInFactor[];
}

export interface ProvenFactor {
  readonly factor: SignInFactor;
  /** The used link through which the factor was set; null for none, and for a factor of an identity provider. */
  readonly usedLink: string | null;
}

/**
 * A sign-in that began with a link keeps that provenance. Any other derives from a used link only if both factors do: the maker of
 * a link cannot prove a factor that was set without it.
 */
const provenanceAfterSecondFactor = (first: LinkProvenance, { usedLink }: ProvenFactor): LinkProvenance =>
  first.linkGeneration !== null ? first : { linkGeneration: null, usedLink: first.usedLink === null ? null : usedLink };

/** The second factors that an identity can prove on a page. */
export const secondFactorsOf = (
  { totp, recoveryCodes, passkeys }: Pick<SignInIdentity, 'totp' | 'recoveryCodes' | 'passkeys'>,
  offersPasskeys: boolean,
): OfferedFactors => ({
  password: false,
  totp: totp !== null,
  // They replace another factor, and are none without it.
  recoveryCodes: recoveryCodes !== null && (totp !== null || passkeys.length > 0),
  passkeys: passkeys.length > 0 && offersPasskeys,
});

/** Whether an identity has enrolled a second factor, wherever it can be used. */
export const hasSecondFactor = ({ totp, passkeys }: Pick<SignInIdentity, 'totp' | 'passkeys'>): boolean =>
  totp !== null || passkeys.length > 0;

/** Whether a passkey signs in without another factor. */
export const passkeySuffices = ({ decision, verifiedBy }: SignInDecision): boolean =>
  decision === 'SECOND_FACTOR' || (decision === 'ALLOW' && verifiedBy === 'PASSWORD');

/** The ways in of an identity. */
interface WaysIn extends Pick<SignInIdentity, 'totp' | 'passkeys'> {
  readonly password: unknown;
}

/** Whether an identity has the factors that a decision asks for. What blocks it is no matter of factors. */
export function canSignIn({ password, totp, passkeys }: WaysIn, decision: SignInDecision): boolean {
  if (passkeySuffices(decision) && passkeys.length > 0) return true;
  const hasFirst = decision.verifiedBy === 'APPLICATION' || password !== null;
  return hasFirst && (decision.decision !== 'SECOND_FACTOR' || hasSecondFactor({ totp, passkeys }));
}
