import { WEBHOOK_REPLAY_SECONDS } from '@access-admin/contract';
import type { WebhookPlace } from '@access-admin/store';
import { LRUCache } from 'lru-cache';

/** The webhooks that are remembered at the same time. */
const REMEMBERED_MAX = 100_000;

/** Lets a webhook be replayed once a minute: a replay may repeat all events that are kept. */
export interface ReplayLimit {
  /** Whether the webhook may be replayed now; it counts as replayed from then on. */
  take(place: WebhookPlace): boolean;
  /** Takes back a replay that has not begun. */
  giveBack(place: WebhookPlace): void;
}

export function createReplayLimit(): ReplayLimit {
  // With `max`, room for all of them would be taken at once.
  const replayed = new LRUCache<string, true>({
    maxSize: REMEMBERED_MAX,
    sizeCalculation: () => 1,
    ttl: WEBHOOK_REPLAY_SECONDS * 1000,
  });
  const keyOf = ({ tenant, webhookId }: WebhookPlace) => `${tenant} ${webhookId}`;
  return {
    take: (place) => {
      const key = keyOf(place);
      if (replayed.has(key)) return false;
      replayed.set(key, true);
      return true;
    },
    giveBack: (place) => {
      replayed.delete(keyOf(place));
    },
  };
}
