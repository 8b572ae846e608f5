import { hash } from 'node:crypto';
import type { Passkey, PendingSignInStore, SignInFactor } from '@access-admin/store';
import type { Cookies } from '../http/cookies.ts';
import type { PageContext, PageVariables } from '../pages/context.ts';
import type { LinkTrace } from './link-trace.ts';

/** How long a sign-in may take between its first and its last step. */
const PENDING_MS = 600_000;

/** A factor that a link has allowed, and that is stored once the enrolled second factor is proven. */
export interface FactorToEnrol {
  readonly passwordHash: string | null;
  readonly passkey: Passkey | null;
}

/** What a browser is expected to do next. */
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

export type PendingAt<S extends PendingStep> = Extract<PendingState, { step: S }>;

/** A pending sign-in as it was read. */
export interface ReadPending<S extends PendingStep> {
  readonly hash: string;
  readonly identityId: string | null;
  /** The links that it goes back to. */
  readonly trace: LinkTrace;
  readonly state: PendingAt<S>;
  readonly text: string;
}

/** Sign-ins between two of their steps. The browser has a random token of each, the store its SHA-256. */
export interface PendingSignIns {
  /** Begins one, which goes back to these links if any, and sets its cookie; false where the identity or a link is gone. */
  begin(c: PageContext, identityId: string | null, state: PendingState, trace?: LinkTrace): Promise<boolean>;
  /** The one of this browser, if it is at this step. */
  find<S extends PendingStep>(c: PageContext, step: S): Promise<ReadPending<S> | null>;
  /** Replaces the state that was read; false if it has changed since. */
  update<S extends PendingStep>(c: PageContext, pending: ReadPending<S>, state: PendingAt<S>): Promise<boolean>;
  /** Ends it; false if it was ended before, so that one of two requests with it succeeds. */
  take(c: PageContext, pending: { readonly hash: string }): Promise<boolean>;
  /** Ends it in the browser. */
  forget(c: PageContext): void;
}

interface PendingDeps {
  readonly pendingSignIns: PendingSignInStore;
  readonly cookies: Cookies;
  readonly now: () => Date;
  readonly newSecret: () => string;
}

export function createPendingSignIns({ pendingSignIns, cookies, now, newSecret }: PendingDeps): PendingSignIns {
  const nowMs = () => now().getTime();
  return {
    begin: async (c, identityId, state, trace) => {
      const token = newSecret();
      const times = { expiresMs: nowMs() + PENDING_MS, nowMs: nowMs() };
      const begun = await pendingSignIns.create(c.get('tenant'), hashOf(token), {
        identityId,
        ...trace,
        state: textOf(c, state),
        ...times,
      });
      if (begun) cookies.write(c, COOKIE, token);
      return begun;
    },
    find: async <S extends PendingStep>(c: PageContext, step: S) => {
      const token = cookies.read(c, COOKIE);
      if (token === null) return null;
      const digest = hashOf(token);
      const found = await pendingSignIns.find(c.get('tenant'), digest, nowMs());
      if (found === null) return null;
      const { identityId, linkGeneration = null, usedLink = null, state: text } = found;
      const { isFramed, ...state }: StoredState = JSON.parse(text);
      return isAt(state, step) && isFramed === c.get('isFramed')
        ? { hash: digest, identityId, trace: { linkGeneration, usedLink }, state, text }
        : null;
    },
    update: (c, pending, state) => {
      const after = { identityId: pending.identityId, state: textOf(c, state), expiresMs: nowMs() + PENDING_MS };
      return pendingSignIns.update(c.get('tenant'), pending.hash, { before: pending.text, after, nowMs: nowMs() });
    },
    take: async (c, pending) => (await pendingSignIns.take(c.get('tenant'), pending.hash, nowMs())) !== null,
    forget: (c) => cookies.clear(c, COOKIE),
  };
}

const COOKIE = 'sign-in';

/** A state with the kind of the cookie that names it: a frame has one of its own. */
type StoredState = PendingState & Pick<PageVariables, 'isFramed'>;

const isAt = <S extends PendingStep>(state: PendingState, step: S): state is PendingAt<S> => state.step === step;

const textOf = (c: PageContext, state: PendingState): string =>
  JSON.stringify({ ...state, isFramed: c.get('isFramed') } satisfies StoredState);

const hashOf = (token: string): string => hash('sha256', token);
