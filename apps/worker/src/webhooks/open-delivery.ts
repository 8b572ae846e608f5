import { randomUUID } from 'node:crypto';
import {
  WEBHOOK_ATTEMPTS_MAX,
  WEBHOOK_ATTEMPTS_OF_TENANT_MAX,
  WEBHOOK_LARGE_BYTES_MAX,
  WEBHOOK_LARGE_BYTES_OF_TENANT_MAX,
} from '@access-admin/domain';
import { createDeliveryIds, type SecretCipher, type Store } from '@access-admin/store';
import { createConnections } from './connections.ts';
import { createDelivery, type Delivery, type DeliveryDeps } from './delivery.ts';
import { createGate } from './gate.ts';
import { createRender } from './render.ts';
import { createResolveHost, createResolvers } from './resolve.ts';
import { createSend } from './send.ts';

export interface DeliveryOptions extends Pick<DeliveryDeps, 'now' | 'random' | 'wait' | 'log' | 'awaitStart'> {
  readonly store: Pick<Store, 'webhooks' | 'events' | 'onCommit'>;
  /** Without one nothing can be signed, and so nothing is delivered. */
  readonly cipher: SecretCipher | null;
  readonly targets: ReadonlySet<string>;
  readonly baseAddress: string;
}

/** A tenant has room for all its webhooks, each with a new event and retries. */
const BOUNDS = { all: WEBHOOK_ATTEMPTS_MAX, ofTenant: WEBHOOK_ATTEMPTS_OF_TENANT_MAX };
/** For large events: a tenant has room for the largest one, the result of a check. */
const BYTES = { all: WEBHOOK_LARGE_BYTES_MAX, ofTenant: WEBHOOK_LARGE_BYTES_OF_TENANT_MAX };

/** Opens the delivery of events on real sockets. */
export function openDelivery({ store, cipher, targets, baseAddress, ...deps }: DeliveryOptions): Delivery {
  if (cipher === null) return { run: async () => {} };
  const connections = createConnections();
  const { run } = createDelivery({
    ...deps,
    ...{ webhooks: store.webhooks, events: store.events, onCommit: store.onCommit, cipher },
    gate: createGate(BOUNDS),
    memory: createGate(BYTES),
    send: createSend({ resolveHost: createResolveHost(createResolvers(), targets), connections, targets }),
    render: createRender(baseAddress),
    newDeliveryId: createDeliveryIds(randomUUID),
  });
  return { run: (signal) => run(signal).finally(connections.close) };
}
