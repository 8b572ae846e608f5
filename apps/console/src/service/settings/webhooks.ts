import { type AccessAdminClient, type CloudEvent, ForbiddenError } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

type Operations = AccessAdminClient['webhooks'];

/** A receiver of events. */
export type Webhook = Awaited<ReturnType<Operations['get']>>;

/** One with its secret, which is told this once. */
export type CreatedWebhook = Awaited<ReturnType<Operations['create']>>;

/** One event on its way to a receiver. */
export type WebhookDelivery = Awaited<ReturnType<Operations['resend']>>;

/** What the search of an address has for a webhook that is not yet created. */
export const NEW_WEBHOOK = 'new';

/** The beginnings of types that a page offers; a session may read them all. */
export const EVENT_PATTERNS = [
  'sod.violation.*',
  'sod.policy.*',
  'sod.exception.*',
  'sod.reservation.*',
  'sod.check.*',
  'sod.report.*',
  'auth-user.*',
  'auth-profile.*',
  'sign-in.*',
  'access-model.*',
  'ui-metadata.*',
  'webhook.*',
] as const;

const DELIVERIES_SHOWN = 50;
const POLL_MS = 2_000;

/** All webhooks. */
export const webhooksQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'webhooks'],
    queryFn: ({ signal }) => Array.fromAsync(api.webhooks.list({ signal })),
  });

/** One webhook with its version. */
export const webhookQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['settings', 'webhooks', id],
    queryFn: ({ signal }) => api.webhooks.get(id, { signal }).withETag(),
  });

/** The latest deliveries of a webhook, read again while one is under way. */
export const deliveriesQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['settings', 'webhooks', id, 'deliveries'],
    queryFn: async ({ signal }) => (await api.webhooks.deliveriesPage(id, { limit: DELIVERIES_SHOWN, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some((each) => each.state === 'PENDING') ? POLL_MS : false),
  });

/** Why the service has disabled a webhook, and when. */
export interface Disabling {
  readonly reason: string;
  readonly time: string;
}

/** The last time that the service has disabled each webhook, by its id; empty if the session may not read events. */
export const disablingsQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'webhooks', 'disablings'],
    queryFn: async ({ signal }) => {
      try {
        return disablingsOf(await Array.fromAsync(api.events.list({ types: ['webhook.disabled'], signal })));
      } catch (error) {
        if (error instanceof ForbiddenError) return {};
        throw error;
      }
    },
  });

/** The last disabling of each webhook that events tell of. */
export function disablingsOf(
  events: readonly Pick<CloudEvent, 'data' | 'time'>[],
): Readonly<Record<string, Disabling>> {
  const told = events.map(({ data, time }) => {
    const { id, reason } = Object(data);
    return [String(id), { reason: String(reason), time }] as const;
  });
  return Object.fromEntries(told);
}

/** What the sequence of an event is, without its leading zeros; null for a text that is none. */
export function parseSequence(text: string): string | null {
  const digits = /^\s*0*(\d{1,16})\s*$/.exec(text)?.[1];
  return digits ?? null;
}
