import type { Scheduler, Semaphore } from '@access-admin/scheduling';
import type { DueDelivery } from '@access-admin/store';
import type { Tracing } from '@access-admin/telemetry';
import { type EndedAttempt, isSuccess } from './conclude.ts';
import type { DeliveryState } from './delivery-state.ts';
import type { Send } from './send.ts';
import { signMessage } from './sign.ts';

export interface AttemptDeps {
  /** For attempts under way. */
  readonly attempts: Semaphore;
  readonly send: Send;
  readonly yieldIfDue: Scheduler['yieldIfDue'];
  /** Null where nothing is traced. */
  readonly tracing: Pick<Tracing, 'start'> | null;
  now(): number;
  random(): number;
}

/** Sends one message; null when the work on the webhook was stopped before an answer. */
export type Attempt = (delivery: DueDelivery, body: string) => Promise<EndedAttempt | null>;

export function createAttempt(
  { attempts, send, yieldIfDue, tracing, now, random }: AttemptDeps,
  state: DeliveryState,
  keys: readonly Uint8Array[],
): Attempt {
  const { tenant, webhookId, url, format } = state.claim;
  const owner = `${tenant} ${webhookId}`;
  return async (delivery, body) => {
    const slot = attempts.open(tenant, { signal: () => state.stopping });
    if (!(await slot.acquire()).ok) return null;
    try {
      // However many attempts begin, other work of the process goes on in between.
      await yieldIfDue();
      if (state.isOver()) return null;
      const startedMs = now();
      const message = { id: delivery.eventId, timestamp: Math.floor(startedMs / 1000), body };
      const span = tracing?.start({ name: 'deliver event', kind: 'client' });
      const headers = {
        'content-type': format === 'cloudevents' ? 'application/cloudevents+json' : 'application/json',
        'user-agent': 'access-admin-webhooks',
        'webhook-id': message.id,
        'webhook-timestamp': String(message.timestamp),
        'webhook-signature': signMessage(message, keys),
        ...(span === undefined ? {} : { traceparent: span.traceparent }),
      };
      const answer = await send({ owner, url, headers, body, signal: state.stopping });
      span?.end({
        isError: !isSuccess(answer),
        attributes: {
          'http.request.method': 'POST',
          ...(answer.status === null ? {} : { 'http.response.status_code': answer.status }),
          'access_admin.tenant': tenant,
          'access_admin.webhook_id': webhookId,
          'access_admin.event_id': delivery.eventId,
        },
      });
      const isStopped = answer.status === null && state.stopping.aborted;
      return isStopped ? null : { answer, startedMs, endedMs: now(), random: random() };
    } finally {
      slot.release();
    }
  };
}
