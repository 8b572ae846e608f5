import { ApiError, ConnectionError, ForbiddenError, TimeoutError, UnauthenticatedError } from '@access-admin/client';
import type { CommonKey } from '../languages/texts.ts';

/** What a page says about an error. */
export interface ShownFailure {
  /** What to do about it; null where only the service's own text says so. */
  readonly advice: CommonKey | null;
  /** The texts of the service. */
  readonly texts: readonly string[];
  /** The number that finds the request in the log of the service. */
  readonly trackingId: string | null;
}

/** What to show of an error. */
export function showFailure(error: unknown): ShownFailure {
  if (!(error instanceof ApiError)) {
    const isAway = isServiceAway(error);
    const texts = isAway || !(error instanceof Error) ? [] : [error.message];
    return { advice: isAway ? 'failure.offline' : null, texts, trackingId: null };
  }
  const { messages, causes, trackingId } = error;
  const texts = [...new Set([...messages, ...causes].map(({ text }) => text))];
  return { advice: adviceOf(error), texts, trackingId };
}

/** Whether the service did not answer at all. */
export const isServiceAway = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError;

/** Whether the session has ended, so that nothing can be read or changed before another sign-in. */
export const isSessionEnd = (error: unknown): boolean => error instanceof UnauthenticatedError;

/** Whether the service first asks for a proof that it is still the same person. */
export const needsProof = (error: unknown): boolean =>
  error instanceof ForbiddenError && error.causes.some(({ text }) => text.includes('/account/confirm'));

/** Too many requests, or a service or proxy that is overloaded, starting or stopping. */
const BUSY = [429, 502, 503, 504];

function adviceOf(error: ApiError): CommonKey | null {
  if (error instanceof ForbiddenError) return 'failure.right';
  if (BUSY.includes(error.status)) return 'failure.busy';
  return error.status >= 500 ? 'failure.fault' : null;
}
