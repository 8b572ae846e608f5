import { writeCloudEvent, writeTestEvent } from '@access-admin/contract';
import { WEBHOOK_TEST_TYPE } from '@access-admin/domain';
import type { ClaimedWebhook, DueDelivery, StoredEvent } from '@access-admin/store';
import { writeChannelMessage } from './channel-message.ts';

/** Whose message it is, and in which format. */
type Receiver = Pick<ClaimedWebhook, 'tenant' | 'webhookId' | 'format'>;

/** Writes events in the format of a webhook. `{tenant}` in the base address stands for the tenant. */
export const createRender = (baseAddress: string) => {
  const sourceOf = (tenant: string) => baseAddress.replace('{tenant}', tenant);
  return {
    event: ({ tenant, format }: Receiver, event: StoredEvent): string =>
      format === 'cloudevents'
        ? writeCloudEvent(event, sourceOf(tenant))
        : writeChannelMessage(format, event, sourceOf(tenant)),
    test: ({ tenant, webhookId, format }: Receiver, { eventId, created, body }: DueDelivery): string => {
      const data = body ?? 'null';
      return format === 'cloudevents'
        ? writeTestEvent({ id: eventId, webhookId, time: created, data }, sourceOf(tenant))
        : writeChannelMessage(format, { type: WEBHOOK_TEST_TYPE, resourceId: webhookId, data }, sourceOf(tenant));
    },
  };
};

/** Renders messages of one service. */
export type Render = ReturnType<typeof createRender>;
