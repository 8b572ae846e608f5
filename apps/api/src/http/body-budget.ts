import { LARGE_BODIES_BYTES_MAX } from '@access-admin/contract';
import type { Soon } from '../event-loop/maybe-promise.ts';
import type { Exchange, Reply } from './exchange.ts';
import { endingWith } from './with-on-end.ts';

/** What one request has of the room for large bodies. */
export interface BodyShare {
  /** Whether there is room for so many bytes more; they count until the request is answered. */
  take(bytes: number): boolean;
}

/** The room that all large bodies of a process have together, in bytes as they arrive: a slow sender takes no more than it has sent. */
export interface BodyBudget {
  /** Gives a share to the work on a request, until its answer is there and, if it is in pieces, until they have ended. */
  share(exchange: Exchange, work: (share: BodyShare) => Soon<Reply>): Promise<Reply>;
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
        const reply = await work(share);
        const { body } = reply;
        if (body === null || typeof body === 'string' || body instanceof Uint8Array) return reply;
        isStreamed = true;
        return { ...reply, body: endingWith(body, exchange.signal(), share.release) };
      } finally {
        if (!isStreamed) share.release();
      }
    },
  };
}
