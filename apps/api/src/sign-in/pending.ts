import { hash } from 'node:crypto';
import type { PendingSignInStore } from '@access-admin/store';
import type { Cookies } from '../http/cookies.ts';
import { challengeOf } from './factors/passkey.ts';
import type { LinkProvenance, PendingAt, PendingState, PendingStep } from './flow.ts';
import type { PageContext, PageVariables } from './pages/context.ts';

/** From one step to the next. */
const PENDING_MS = 600_000;

/** A stored pending sign-in. */
export interface ReadPending<S extends PendingStep> {
  /** Identifies the browser tab; not a secret. */
  readonly id: string;
  readonly hash: string;
  readonly identityId: string | null;
  readonly provenance: LinkProvenance;
  readonly state: PendingAt<S>;
  /** The state as it is stored, for compare-and-set. */
  readonly text: string;
}

/**
 * Sign-ins between two steps, one per browser tab. Each has a random token in a cookie named after its id, and the store holds
 * the token's SHA-256. A tab returns with the id: as the `state` from a provider, as the challenge that a passkey signed, or as
 * the `state` query parameter of the page.
 */
export interface PendingSignIns {
  /** Sets a cookie and returns the id; null if the identity, or a link of the provenance, is gone. */
  begin(
    c: PageContext,
    identityId: string | null,
    state: PendingState,
    provenance?: LinkProvenance,
  ): Promise<string | null>;
  /** Finds the tab's pending sign-in if it is at this step. A URL without an id means the browser's only one at this step. */
  find<S extends PendingStep>(c: PageContext, step: S): Promise<ReadPending<S> | null>;
  /** Compares and sets the state; false if it has changed since. */
  update<S extends PendingStep>(c: PageContext, pending: ReadPending<S>, state: PendingAt<S>): Promise<boolean>;
  /** Consumes it; false if it was consumed before, so that one of two concurrent requests succeeds. */
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
      ? { id, hash: digest, identityId, provenance: { linkGeneration, usedLink }, state, text }
      : null;
  };
  const pendingIds = (c: PageContext) =>
    cookies
      .list(c, COOKIE)
      .slice(-PENDING_PER_BROWSER_MAX)
      .map((name) => name.slice(COOKIE.length));
  return {
    begin: async (c, identityId, state, provenance) => {
      const token = newSecret();
      const times = { expiresMs: nowMs() + PENDING_MS, nowMs: nowMs() };
      const begun = await pendingSignIns.create(c.get('tenant'), hashOf(token), {
        identityId,
        ...provenance,
        state: textOf(c, state),
        ...times,
      });
      if (!begun) return null;
      const others = pendingIds(c);
      for (const id of others.slice(0, Math.max(0, others.length + 1 - PENDING_PER_BROWSER_MAX)))
        cookies.clear(c, `${COOKIE}${id}`);
      const id = idOfState(state) ?? newSecret();
      cookies.write(c, `${COOKIE}${id}`, token, PENDING_MS / 1000);
      return id;
    },
    find: async (c, step) => {
      const id = idOfRequest(c, step);
      const found = await Promise.all((id === null ? pendingIds(c) : [id]).map((each) => read(c, each)));
      const [pending, ...more] = found.flatMap((each) =>
        each !== null && isAtStep(each.state, step) ? [{ ...each, state: each.state }] : [],
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

/** Bounds the size of requests, by clearing the oldest cookies, and the look-ups of a request, by ignoring them. */
const PENDING_PER_BROWSER_MAX = 10;

/** The URL of a step's page. */
export const stepUrl = (path: string, id: string): string => `${path}?state=${id}`;

/** The id that the browser returns by itself; null for a step whose page carries the id in its URL. */
function idOfState(state: PendingState): string | null {
  if (state.step === 'APPLICATION') return state.state;
  return isPageStep(state.step) ? null : state.challenge;
}

/** Null if the request has no id. */
function idOfRequest(c: PageContext, step: PendingStep): string | null {
  if (step === 'APPLICATION') return c.req.query('state') ?? '';
  return isPageStep(step) ? (c.req.query('state') ?? null) : challengeOf(c.get('form')('credential'));
}

const isPageStep = (step: PendingStep): step is 'SECOND_FACTOR' | 'ENROLMENT' =>
  step === 'SECOND_FACTOR' || step === 'ENROLMENT';

/** Frames have cookies of their own, so a state is valid only where it began. */
type StoredState = PendingState & Pick<PageVariables, 'isFramed'>;

const isAtStep = <S extends PendingStep>(state: PendingState, step: S): state is PendingAt<S> => state.step === step;

const textOf = (c: PageContext, state: PendingState): string =>
  JSON.stringify({ ...state, isFramed: c.get('isFramed') } satisfies StoredState);

const hashOf = (token: string): string => hash('sha256', token);
