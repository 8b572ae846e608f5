import { failure, type LimitExceeded } from '../../basics/result/failure.ts';

/** What is posted of an event: the event itself, or a message for a channel of Slack or Microsoft Teams. */
export const WEBHOOK_FORMATS = ['cloudevents', 'slack', 'teams'] as const;

/** The format of the messages of a webhook. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The properties of a webhook that callers may change. */
export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  /** Patterns of event types. */
  readonly types: readonly string[];
  readonly format: WebhookFormat;
  readonly enabled: boolean;
}

/** A receiver of events. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly modified: string;
}

/** A webhook that was disabled by the service. */
export interface DisabledWebhook extends Webhook {
  /** Why it was disabled. */
  readonly reason: string;
}

/** A webhook as events and the audit log show it: receivers' tokens may be in the query of a URL. */
export function withoutQuery<W extends { readonly url: string }>(webhook: W): W {
  const [address = '', query] = webhook.url.split('?', 2);
  return query === undefined ? webhook : { ...webhook, url: `${address}?…` };
}

/** The most webhooks of a tenant. */
export const WEBHOOKS_MAX = 50;

/** How long the secret before a rotation signs too, in hours. */
export const SECRET_OVERLAP_HOURS = 24;

/** How many attempts must have failed until a webhook is disabled: a clock that jumps disables no webhook. */
export const WEBHOOK_FAILURES_MIN = 10;

/** The states of a delivery. */
export const DELIVERY_STATES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

/** The state of a delivery. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  /** When it began, in ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** In milliseconds. */
  readonly duration: number;
  /** Why there was no answer; null with one. */
  readonly error: string | null;
}

/** The delivery of an event to a webhook. */
export interface WebhookDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  /** The number of the event, in 20 digits; null for a test. */
  readonly sequence: string | null;
  readonly state: DeliveryState;
  readonly created: string;
  /** The last ones, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** When it is tried next; null when it is done. */
  readonly next: string | null;
}

/** The type of the event that a test sends. */
export const WEBHOOK_TEST_TYPE = 'webhook.test';

/** The refusal of one webhook more; null when there is room. */
export const refuseAnotherWebhook = (count: number): LimitExceeded | null =>
  count < WEBHOOKS_MAX ? null : failure('LimitExceeded', '', `a tenant has at most ${WEBHOOKS_MAX} webhooks`);
