import { hash } from 'node:crypto';
import type { Passkey, PendingSignInStore, SignInFactor } from '@access-admin/store';
import type { Cookies } from '../http/cookies.ts';
import type { PageContext, PageVariables } from '../pages/context.ts';
import type { LinkTrace } from './link-trace.ts';
import { challengeOf } from './passkey-ceremony.ts';

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
  /** Names it to the tab of the browser in which it goes on; it is no secret. */
  readonly id: string;
  readonly hash: string;
  readonly identityId: string | null;
  /** The links that it goes back to. */
  readonly trace: LinkTrace;
  readonly state: PendingAt<S>;
  readonly text: string;
}

/**
 * Sign-ins between two of their steps, one for each tab of a browser. The browser has a random token of each, in a cookie that
 * has its id in its name; the store has the SHA-256 of the token. The id is what the tab comes back with: the `state` that a
 * provider repeats, the challenge that a passkey has signed, or else the `state` in the address of the page.
 */
export interface PendingSignIns {
  /** Begins one, which goes back to these links if any, and sets its cookie. Its id; null where the identity or a link is gone. */
  begin(c: PageContext, identityId: string | null, state: PendingState, trace?: LinkTrace): Promise<string | null>;
  /** The one of this tab, if it is at this step. A page without an id in its address is of the only one that the browser has. */
  find<S extends PendingStep>(c: PageContext, step: S): Promise<ReadPending<S> | null>;
  /** Replaces the state that was read; false if it has changed since. */
  update<S extends PendingStep>(c: PageContext, pending: ReadPending<S>, state: PendingAt<S>): Promise<boolean>;
  /** Ends it; false if it was ended before, so that one of two requests with it succeeds. */
  take(c: PageContext, pending: Pick<ReadPending<PendingStep>, 'id' | 'hash'>): Promise<boolean>;
}

interface PendingDeps {
  readonly pendingSignIns: PendingSignInStore;
  readonly cookies: Cookies;
  readonly now: () => Date;
  readonly newSecret: () => string;
}

export function createPendingSignIns({ pendingSignIns, cookies, now, newSecret }: PendingDeps): PendingSignIns {
  const nowMs = () => now().getTime();
  const read = async (c: PageContext, id: string): Promise<ReadPending<PendingStep> | null> => {
    const token = cookies.read(c, `${COOKIE}${id}`);
    if (token === null) return null;
    const digest = hashOf(token);
    const found = await pendingSignIns.find(c.get('tenant'), digest, nowMs());
    if (found === null) return null;
    const { identityId, linkGeneration = null, usedLink = null, state: text } = found;
    const { isFramed, ...state }: StoredState = JSON.parse(text);
    return isFramed === c.get('isFramed')
      ? { id, hash: digest, identityId, trace: { linkGeneration, usedLink }, state, text }
      : null;
  };
  const begunIds = (c: PageContext) =>
    cookies
      .list(c, COOKIE)
      .slice(-BEGUN_MAX)
      .map((name) => name.slice(COOKIE.length));
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
      if (!begun) return null;
      const others = begunIds(c);
      for (const id of others.slice(0, Math.max(0, others.length + 1 - BEGUN_MAX))) cookies.clear(c, `${COOKIE}${id}`);
      const id = idOfState(state) ?? newSecret();
      cookies.write(c, `${COOKIE}${id}`, token, PENDING_MS / 1000);
      return id;
    },
    find: async (c, step) => {
      const id = idOfRequest(c, step);
      const found = await Promise.all((id === null ? begunIds(c) : [id]).map((each) => read(c, each)));
      const [pending, ...more] = found.flatMap((each) =>
        each !== null && isAt(each.state, step) ? [{ ...each, state: each.state }] : [],
      );
      return pending === undefined || more.length > 0 ? null : pending;
    },
    update: async (c, pending, state) => {
      const after = { identityId: pending.identityId, state: textOf(c, state), expiresMs: nowMs() + PENDING_MS };
      const change = { before: pending.text, after, nowMs: nowMs() };
      const isKept = await pendingSignIns.update(c.get('tenant'), pending.hash, change);
      const name = `${COOKIE}${pending.id}`;
      if (isKept) cookies.write(c, name, cookies.read(c, name) ?? '', PENDING_MS / 1000);
      return isKept;
    },
    take: async (c, { id, hash: digest }) => {
      cookies.clear(c, `${COOKIE}${id}`);
      return (await pendingSignIns.take(c.get('tenant'), digest, nowMs())) !== null;
    },
  };
}

const COOKIE = 'sign-in-';

/**
 * The cookies of tabs that a browser keeps: those beyond end first, so that its requests stay short. Older ones are passed over,
 * so that no request costs more look-ups than that.
 */
const BEGUN_MAX = 10;

/** A page of a step, in the tab of the pending sign-in with this id. */
export const pageOfStep = (path: string, id: string): string => `${path}?state=${id}`;

/** What the browser comes back with by itself; null for a step that keeps the id in the address of its page. */
function idOfState(state: PendingState): string | null {
  if (state.step === 'APPLICATION') return state.state;
  return isOfPage(state.step) ? null : state.challenge;
}

/** The id with which a request comes back; null without one. */
function idOfRequest(c: PageContext, step: PendingStep): string | null {
  if (step === 'APPLICATION') return c.req.query('state') ?? '';
  return isOfPage(step) ? (c.req.query('state') ?? null) : challengeOf(c.get('form')('credential'));
}

const isOfPage = (step: PendingStep): step is 'SECOND_FACTOR' | 'ENROLMENT' =>
  step === 'SECOND_FACTOR' || step === 'ENROLMENT';

/** A state with the kind of the cookie that names it: a frame has one of its own. */
type StoredState = PendingState & Pick<PageVariables, 'isFramed'>;

const isAt = <S extends PendingStep>(state: PendingState, step: S): state is PendingAt<S> => state.step === step;

const textOf = (c: PageContext, state: PendingState): string =>
  JSON.stringify({ ...state, isFramed: c.get('isFramed') } satisfies StoredState);

const hashOf = (token: string): string => hash('sha256', token);
