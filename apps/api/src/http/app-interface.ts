import type { Failure } from '@access-admin/domain';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { Exchange, HttpResponse, ObservedHandler } from './exchange.ts';

/** The whole HTTP interface, without a socket. */
export interface HttpApp {
  readonly answer: ObservedHandler;
  /** Answers a message that names no resource at all. */
  readonly refuse: (fault: Failure, exchange: Exchange) => MaybePromise<HttpResponse>;
}
