import { AccessAdminError } from '../errors.ts';
import type { ParsedResponse } from './transport.ts';

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
export function createResourceCall<T>(response: Promise<ParsedResponse<T>>): ResourceCall<T> {
  const value = response.then((received) => received.value);
  const withETag = async (): Promise<WithETag<T>> => {
    // With `withETag` nothing awaits `value`: its rejection must not count as unhandled.
    value.catch(() => {});
    const received = await response;
    const etag = received.headers.get('etag');
    if (etag === null) throw new AccessAdminError('The response carries no ETag');
    return { value: received.value, etag };
  };
  return Object.assign(value, { withETag });
}
