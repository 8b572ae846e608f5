import { AccessAdminError } from '../errors.ts';
import type { Answer } from './transport.ts';

/** A resource and its version at the time of the response. */
export interface WithETag<T> {
  readonly value: T;
  /** The value for `ifMatch` of a later write. */
  readonly etag: string;
}

/** Resolves with the resource; `withETag()` resolves with its version as well. */
export interface ResourceCall<T> extends Promise<T> {
  withETag(): Promise<WithETag<T>>;
}

/** Wraps a running request, so that the caller gets the value, or value and version. */
export function resourceCall<T>(answer: Promise<Answer<T>>): ResourceCall<T> {
  const value = answer.then((answered) => answered.value);
  const withETag = async (): Promise<WithETag<T>> => {
    // With `withETag` nothing awaits `value`: its rejection must not count as unhandled.
    value.catch(() => {});
    const answered = await answer;
    const etag = answered.headers.get('etag');
    if (etag === null) throw new AccessAdminError('The answer carries no ETag');
    return { value: answered.value, etag };
  };
  return Object.assign(value, { withETag });
}
