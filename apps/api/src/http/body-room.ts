import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { RoomShare, SharedRoom } from '../rooms/shared-room.ts';
import { type Exchange, type HttpResponse, isInPieces } from './exchange.ts';
import { withOnEnd } from './with-on-end.ts';

/** Opens the share of a body of more than 64 KiB. */
export type OpenBodyShare = (tenant: string) => RoomShare;

/** The share of a body that is kept while the request is handled. */
export interface KeptBody {
  readonly open: OpenBodyShare;
  /** Keeps the share until the work has ended: it may outlast the answer, and its caller. */
  whileWorking(work: Promise<unknown>): void;
}

/** The room that tenants share for bodies, in bytes as they arrive: a slow sender holds no more than it has sent. */
export interface BodyRoom {
  /** Opens a share that the caller releases as soon as the body has been parsed. */
  open(tenant: string, exchange: Exchange): RoomShare;
  /**
   * Keeps the share of a body whose parsed form is used until the response exists and the work on it has ended, and, if the
   * response is in pieces, until they have ended.
   */
  keep(exchange: Exchange, handle: (kept: KeptBody) => MaybePromise<HttpResponse>): Promise<HttpResponse>;
}

export function createBodyRoom(room: SharedRoom): BodyRoom {
  return {
    open: (tenant, exchange) => {
      const left = exchange.signal();
      const share = room.open(tenant, () => left);
      left.addEventListener('abort', () => share.release(), { once: true });
      return share;
    },
    keep: async (exchange, handle) => {
      let share: RoomShare | null = null;
      const release = () => share?.release();
      let working: Promise<unknown> = Promise.resolve();
      let isStreamed = false;
      const kept: KeptBody = {
        open: (tenant) => {
          const left = exchange.signal();
          share ??= room.open(tenant, () => left);
          return share;
        },
        whileWorking: (work) => {
          working = work;
        },
      };
      try {
        const response = await handle(kept);
        const { body } = response;
        isStreamed = isInPieces(body);
        return isInPieces(body) ? { ...response, body: withOnEnd(body, exchange.signal(), release) } : response;
      } finally {
        if (!isStreamed) void working.then(release, release);
      }
    },
  };
}
