import { LARGE_BODIES_BYTES_MAX } from '@access-admin/contract';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { BodyShare } from './body-share.ts';
import { type Exchange, type HttpResponse, isInPieces } from './exchange.ts';
import { withOnEnd } from './with-on-end.ts';

/** The room that all large bodies of a process share, in bytes as they arrive: a slow sender holds no more than it has sent. */
export interface BodyBudget {
  /** Gives a share to the work on a request, until its response exists and, if it is in pieces, until they have ended. */
  share(exchange: Exchange, work: (share: BodyShare) => MaybePromise<HttpResponse>): Promise<HttpResponse>;
}

export function createBodyBudget(bytesMax = LARGE_BODIES_BYTES_MAX): BodyBudget {
  let held = 0;
  const open = () => {
    let own = 0;
    return {
      take: (bytes: number): boolean => {
        if (held + bytes > bytesMax) return false;
        held += bytes;
        own += bytes;
        return true;
      },
      release: () => {
        held -= own;
        own = 0;
      },
    };
  };
  return {
    share: async (exchange, work) => {
      const share = open();
      let isStreamed = false;
      try {
        const response = await work(share);
        const { body } = response;
        isStreamed = isInPieces(body);
        return isInPieces(body) ? { ...response, body: withOnEnd(body, exchange.signal(), share.release) } : response;
      } finally {
        if (!isStreamed) share.release();
      }
    },
  };
}
