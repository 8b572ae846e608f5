import { randomUUID } from 'node:crypto';
import {
  WEBHOOK_ATTEMPTS_MAX,
  WEBHOOK_ATTEMPTS_OF_TENANT_MAX,
  WEBHOOK_LARGE_BYTES_MAX,
  WEBHOOK_LARGE_BYTES_OF_TENANT_MAX,
} from '@access-admin/contract';
import { createSemaphore } from '@access-admin/scheduling';
import { createOrderedIds, type SecretCipher, type Store } from '@access-admin/store';
import { createConnections } from './connections.ts';
import { FAILING_OF_TENANT_MAX, WEBHOOKS_AT_ONCE_MAX } from './limits.ts';
import { createRender } from './render.ts';
import { createResolveHost, createResolvers } from './resolve.ts';
import { createSend } from './send.ts';
import { createWebhookWork, removeOldDeliveries, type WebhookWork, type WebhookWorkDeps } from './work.ts';

export interface DeliveryOptions
  extends Pick<WebhookWorkDeps, 'now' | 'random' | 'wait' | 'yieldIfDue' | 'log' | 'onJobEnd' | 'tracing'> {
  readonly store: Pick<Store, 'webhooks' | 'events'>;
  readonly cipher: SecretCipher;
  readonly targets: ReadonlySet<string>;
  readonly baseAddress: string;
}

/** The delivery of events to webhooks. */
export interface OpenDelivery {
  readonly work: WebhookWork;
  /** Removes old deliveries; true when there may be more. */
  removeOld(nowMs: number): Promise<boolean>;
  close(): void;
}

/** There is capacity for all webhooks of a tenant, each with a new event and retries. */
const ATTEMPTS = { capacity: WEBHOOK_ATTEMPTS_MAX, tenantMax: WEBHOOK_ATTEMPTS_OF_TENANT_MAX };
/** For batches of attempts at failing receivers. */
const FAILING = { capacity: 2 * WEBHOOKS_AT_ONCE_MAX, tenantMax: FAILING_OF_TENANT_MAX };
/** For large events: there is capacity for the largest one of a tenant, the result of a check. */
const MEMORY = { capacity: WEBHOOK_LARGE_BYTES_MAX, tenantMax: WEBHOOK_LARGE_BYTES_OF_TENANT_MAX };

/** Opens the delivery of events on real sockets. */
export function openDelivery({ store, cipher, targets, baseAddress, ...deps }: DeliveryOptions): OpenDelivery {
  const { webhooks, events } = store;
  const connections = createConnections();
  const work = createWebhookWork({
    ...deps,
    webhooks,
    events,
    cipher,
    attempts: createSemaphore({ ...ATTEMPTS, elapsed: deps.now }),
    failing: createSemaphore({ ...FAILING, elapsed: deps.now }),
    memory: createSemaphore({ ...MEMORY, elapsed: deps.now }),
    send: createSend({ resolveHost: createResolveHost(createResolvers(), targets), connections, targets }),
    render: createRender(baseAddress),
    newDeliveryId: createOrderedIds(randomUUID),
  });
  return { work, removeOld: (nowMs) => removeOldDeliveries({ webhooks }, nowMs), close: connections.close };
}
