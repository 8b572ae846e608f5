import { WEBHOOK_TEST_TYPE, writeCloudEvent } from '@access-admin/domain';
import type { DueDelivery, StoredEvent } from '@access-admin/store';

/** Writes events as CloudEvents in JSON. `{tenant}` in the base address stands for the tenant. */
export const createRender = (baseAddress: string) => {
  const sourceOf = (tenant: string) => baseAddress.replace('{tenant}', tenant);
  return {
    event: (tenant: string, event: StoredEvent): string => writeCloudEvent(event, sourceOf(tenant)),
    /** Has no sequence: it is not among the events of the tenant. */
    test: (tenant: string, webhookId: string, { eventId, created, body }: DueDelivery): string => {
      const type = `org.access-admin.${WEBHOOK_TEST_TYPE}.v1`;
      const subject = `/webhooks/v1/${webhookId}`;
      const named = { specversion: '1.0', id: eventId, source: sourceOf(tenant), type, subject, time: created };
      const envelope = JSON.stringify({ ...named, datacontenttype: 'application/json' });
      return `${envelope.slice(0, -1)},"data":${body ?? 'null'}}`;
    },
  };
};

/** Renders messages of one service. */
export type Render = ReturnType<typeof createRender>;
