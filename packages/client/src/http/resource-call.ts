import { AccessAdminError } from '../errors.ts';
import type { Answer } from './transport.ts';

/** A resource and the version that it had when it was answered. */
export interface WithETag<T> {
  readonly value: T;
  /** What `ifMatch` of a later write takes. */
  readonly etag: string;
}

/** Resolves with the resource; `withETag()` resolves with its version as well. */
export interface ResourceCall<T> extends Promise<T> {
  withETag(): Promise<WithETag<T>>;
}

/** Lets the caller of a running request choose between the value alone and value with version. */
export function resourceCall<T>(answer: Promise<Answer<T>>): ResourceCall<T> {
  const value = answer.then((answered) => answered.value);
  const withETag = async (): Promise<WithETag<T>> => {
    // Who wants both does not look at the promise of the value: its failure must not count as unhandled.
    value.catch(() => {});
    const answered = await answer;
    const etag = answered.headers.get('etag');
    if (etag === null) throw new AccessAdminError('The answer carries no ETag');
    return { value: answered.value, etag };
  };
  return Object.assign(value, { withETag });
}
