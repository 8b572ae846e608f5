import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import type { RoomShare, SharedRoom } from '../rooms/shared-room.ts';
import { type Exchange, type HttpResponse, isInPieces } from './exchange.ts';
import { withOnEnd } from './with-on-end.ts';

/** Opens the share of a body when its second packet arrives: the first one is in memory before anything is known of it. */
export type OpenBodyShare = (tenant: string) => RoomShare;

/** The room that tenants share for bodies, in bytes as they arrive: a slow sender holds no more than it has sent. */
export interface BodyRoom {
  /** Opens a share that the caller releases as soon as the body has been parsed. */
  open(tenant: string, exchange: Exchange): RoomShare;
  /** Keeps the share of a body whose parsed form is used until the response exists and, if it is in pieces, until they have ended. */
  keep(exchange: Exchange, work: (open: OpenBodyShare) => MaybePromise<HttpResponse>): Promise<HttpResponse>;
}

export function createBodyRoom(room: SharedRoom): BodyRoom {
  const open: BodyRoom['open'] = (tenant, exchange) => {
    const left = exchange.signal();
    const share = room.open(tenant, () => left);
    left.addEventListener('abort', () => share.release(), { once: true });
    return share;
  };
  return {
    open,
    keep: async (exchange, work) => {
      let share: RoomShare | null = null;
      const release = () => share?.release();
      let isStreamed = false;
      try {
        const response = await work((tenant) => {
          share ??= open(tenant, exchange);
          return share;
        });
        const { body } = response;
        isStreamed = isInPieces(body);
        return isInPieces(body) ? { ...response, body: withOnEnd(body, exchange.signal(), release) } : response;
      } finally {
        if (!isStreamed) release();
      }
    },
  };
}
