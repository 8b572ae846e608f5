import type { Operation } from '@access-admin/contract';
import type { RequestContext } from '../env.ts';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { ApiFailure } from '../http/problem.ts';

/** A step before the handler of an operation: the failure that the request is refused with, or null where it goes on. */
export type Step = (c: RequestContext, operation: Operation) => MaybePromise<ApiFailure | null>;
