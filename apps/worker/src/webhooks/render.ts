import { writeCloudEvent, writeTestEvent } from '@access-admin/contract';
import type { DueDelivery, StoredEvent } from '@access-admin/store';

/** Writes events as CloudEvents in JSON. `{tenant}` in the base address stands for the tenant. */
export const createRender = (baseAddress: string) => {
  const sourceOf = (tenant: string) => baseAddress.replace('{tenant}', tenant);
  return {
    event: (tenant: string, event: StoredEvent): string => writeCloudEvent(event, sourceOf(tenant)),
    test: (tenant: string, webhookId: string, { eventId, created, body }: DueDelivery): string => {
      const event = { id: eventId, webhookId, time: created, data: body ?? 'null' };
      return writeTestEvent(event, sourceOf(tenant));
    },
  };
};

/** Renders messages of one service. */
export type Render = ReturnType<typeof createRender>;
