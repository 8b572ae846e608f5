import type { Webhook, WebhookDelivery, WebhookFormat, WebhookWithSecret, webhookPatch } from '@access-admin/contract';
import { type CursorOptions, type CursorPage, iteratePages, readCursorPage } from '../../http/cursor-list.ts';
import { jsonBody } from '../../http/json-body.ts';
import type { PatchOf } from '../../http/json-patch.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../../http/list.ts';
import { getResource, ifMatchHeader, patchResource, type WriteOptions } from '../../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';
import { resourcePath } from '../../http/url.ts';

/** A webhook to create. */
export interface NewWebhook {
  readonly name: string;
  /** An https address on port 443 or 8443, unless the operator lists its origin. */
  readonly url: string;
  /** Types of events, beginnings such as `sod.violation.*`, or `*` for all that the caller may read. */
  readonly types: readonly string[];
  /** `cloudevents` if left out: the events themselves. `slack` and `teams` post a text with a link instead. */
  readonly format?: WebhookFormat;
  /** True if left out. */
  readonly enabled?: boolean;
}

/** Filters of the list of deliveries. */
export interface DeliveryListOptions extends CallOptions {
  /** Such as `state eq "FAILED"`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
}

/** Receivers of events, and what was delivered to them. */
export interface Webhooks {
  /** Iterates over all webhooks, a page at a time (list-webhooks-v1). */
  list(options?: CallOptions): AsyncIterable<Webhook>;
  /** Reads one page of the list. */
  page(options?: PageOptions): Promise<Page<Webhook>>;
  /** Creates a webhook (create-webhook-v1). Only this answer has its secret. Not repeated after an unknown outcome. */
  create(webhook: NewWebhook, options?: CallOptions): ResourceCall<WebhookWithSecret>;
  /** Reads a webhook by its id (get-webhook-v1). */
  get(id: string, options?: CallOptions): ResourceCall<Webhook>;
  /** Changes `name`, `url`, `types`, `format` and `enabled` (patch-webhook-v1). */
  patch(id: string, operations: PatchOf<typeof webhookPatch>, options?: WriteOptions): ResourceCall<Webhook>;
  /** Deletes a webhook and its deliveries (delete-webhook-v1). */
  delete(id: string, options?: WriteOptions): Promise<void>;
  /** Returns another secret (rotate-webhook-secret-v1); the old one signs too for 24 hours. Not repeated after an unknown outcome. */
  rotateSecret(id: string, options?: WriteOptions): ResourceCall<WebhookWithSecret>;
  /** Iterates over the deliveries that meet the filters, the newest first (list-webhook-deliveries-v1). */
  deliveries(id: string, options?: DeliveryListOptions): AsyncIterable<WebhookDelivery>;
  /** Reads one page of the deliveries. */
  deliveriesPage(id: string, options?: DeliveryListOptions & CursorOptions): Promise<CursorPage<WebhookDelivery>>;
  /** Delivers an event once more (resend-webhook-delivery-v1). */
  resend(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Sends a test (test-webhook-v1). */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Delivers the events after a sequence again (replay-webhook-v1). */
  replay(id: string, after: string, options?: CallOptions): Promise<Webhook>;
}

/** Builds the operations on webhooks. */
export function createWebhooks(transport: Transport): Webhooks {
  const group = '/webhooks/v1';
  const at = (id: string) => ({ group, id, experimental: false });
  const page: Webhooks['page'] = (options) => readPage(transport, { path: group }, options);
  const deliveriesPage: Webhooks['deliveriesPage'] = async (id, options) =>
    (
      await readCursorPage<WebhookDelivery>(
        transport,
        { path: `${resourcePath(group, id)}/deliveries`, query: { filters: options?.filters } },
        options,
      )
    ).page;
  const post = async <T>(path: string, value: object, options: WriteOptions | undefined) =>
    transport.call<T>({
      method: 'POST',
      path,
      headers: ifMatchHeader(options),
      body: jsonBody(value),
      options,
    });
  const act = async <T>(path: string, value: object, options: CallOptions | undefined) =>
    (await post<T>(path, value, options)).value;
  return {
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    create: (webhook, options) => createResourceCall(post<WebhookWithSecret>(group, webhook, options)),
    get: (id, options) => getResource(transport, at(id), options),
    patch: (id, operations, options) => patchResource(transport, at(id), { operations, options }),
    async delete(id, options) {
      await transport.remove({ path: resourcePath(group, id), headers: ifMatchHeader(options), options });
    },
    rotateSecret: (id, options) => {
      const send = async () => post<WebhookWithSecret>(`${resourcePath(group, id)}/rotate-secret`, {}, options);
      return createResourceCall(send());
    },
    deliveries: (id, options) => iteratePages((part) => deliveriesPage(id, { ...options, ...part })),
    deliveriesPage,
    resend: async (id, deliveryId, options) => {
      const path = resourcePath(`${resourcePath(group, id)}/deliveries`, deliveryId);
      return act<WebhookDelivery>(`${path}/resend`, {}, options);
    },
    test: async (id, options) => act<WebhookDelivery>(`${resourcePath(group, id)}/test`, {}, options),
    replay: async (id, after, options) => act<Webhook>(`${resourcePath(group, id)}/replay`, { after }, options),
  };
}
