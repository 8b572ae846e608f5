import type {
  AuditContext,
  CoveringRights,
  DeliveryAttempt,
  DeliveryState,
  EventType,
  NotFound,
  PresentRights,
  Result,
  Webhook,
  WebhookDelivery,
  WebhookFormat,
} from '@access-admin/domain';
import type { Change, Failed, Removal } from '../engine/change.ts';
import type { Backlog } from '../query/backlog.ts';
import type { Condition } from '../query/filter.ts';
import type { Page } from '../query/page.ts';
import type { Leases } from '../queue/leases.ts';
import type { Resealed } from '../record/secrets/cipher.ts';

/** The caller that covers a webhook: the one that set its URL or types, or enabled it, last. */
export interface WebhookRights extends CoveringRights {
  /** Null for a client of an external issuer. */
  readonly client: { readonly id: string; readonly created: string } | null;
}

/** A webhook with the rights that decide which events it gets. */
export interface WebhookRecord extends Webhook {
  readonly rights: WebhookRights;
}

/** A sealed secret of a webhook. */
export interface NewWebhook {
  readonly webhook: WebhookRecord;
  readonly secret: string;
}

/** A rotation of a secret. */
export interface SecretRotation {
  readonly secret: string;
  readonly modified: string;
  /** Until when the secret before signs too. */
  readonly previousUntilMs: number;
}

/** A condition of a list of deliveries: one of the values. */
export type DeliveryCondition = Condition<'state' | 'type', 'eq' | 'in'>;

/** Whose deliveries are meant. */
export interface WebhookPlace {
  readonly tenant: string;
  readonly webhookId: string;
}

/** A test to be delivered. */
export interface NewTest extends WebhookPlace {
  readonly id: string;
  readonly eventId: string;
  readonly created: string;
  /** JSON text. */
  readonly data: string;
}

/** The webhooks of each tenant, as its administrators see them. */
export interface WebhookSettingsStore {
  list(tenant: string, page: Page): Promise<readonly WebhookRecord[]>;
  count(tenant: string): Promise<number>;
  find(tenant: string, id: string): Promise<WebhookRecord | null>;
  /** Reads, decides and stores in one transaction. It gets the events after the last one. */
  create<F extends Failed>(
    auditContext: AuditContext,
    webhook: NewWebhook,
    decide: (count: number) => Result<unknown, F>,
  ): Promise<Result<WebhookRecord, F>>;
  /** One that is enabled again gets the events after the last one. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: Change<WebhookRecord, WebhookRecord, F, G>,
  ): Promise<Result<WebhookRecord, F | G | NotFound>>;
  delete<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    removal?: Removal<WebhookRecord, WebhookRecord, F, G>,
  ): Promise<Result<null, F | G | NotFound>>;
  rotateSecret<G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    rotation: SecretRotation & { readonly precondition?: (webhook: WebhookRecord) => Result<unknown, G> },
  ): Promise<Result<WebhookRecord, G | NotFound>>;
  /** Reseals secrets sealed with another key. Returns how many were resealed and how many could not be opened. */
  reseal(keyId: string, reseal: (owner: WebhookPlace, sealed: string) => string | null): Promise<Resealed>;
}

/** A page of deliveries: from an offset, or after the delivery with this id. */
export interface DeliveryPage extends Page {
  readonly after?: string | null;
}

/** The deliveries of webhooks, as their administrators see them. */
export interface DeliveryStore {
  listDeliveries(
    place: WebhookPlace,
    conditions: readonly DeliveryCondition[],
    page: DeliveryPage,
  ): Promise<readonly WebhookDelivery[]>;
  countDeliveries(place: WebhookPlace, conditions: readonly DeliveryCondition[]): Promise<number>;
  /** Makes a delivery pending, to be tried at once; null when there is none. */
  resend(
    auditContext: AuditContext,
    place: WebhookPlace,
    delivery: { readonly id: string; readonly nowMs: number },
  ): Promise<WebhookDelivery | null>;
  /** Requests a test; null when there is no such webhook. */
  test(auditContext: AuditContext, test: NewTest, nowMs: number): Promise<WebhookDelivery | null>;
  /** Delivers the events after this one again, or once the webhook gets there. `gone` when they are not kept. */
  replay(auditContext: AuditContext, place: WebhookPlace, after: number): Promise<'ok' | 'notFound' | 'gone'>;
}

/** A webhook that a worker has claimed. Only the latest fence can store outcomes. */
export interface ClaimedWebhook extends WebhookPlace {
  readonly fence: number;
  readonly url: string;
  readonly types: readonly string[];
  readonly format: WebhookFormat;
  readonly enabled: boolean;
  readonly rights: WebhookRights;
  /** Sealed; the second signs too while it rotates. */
  readonly secrets: readonly string[];
  readonly cursor: number;
  readonly failingSinceMs: number | null;
  /** How many attempts have failed since then. */
  readonly failures: number;
}

/** A delivery that is due again. */
export interface DueDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly sequence: number;
  readonly type: EventType | 'webhook.test';
  readonly created: string;
  readonly failures: number;
  readonly attempts: readonly DeliveryAttempt[];
  /** The data of a test; null where it is read from the event. */
  readonly body: string | null;
}

/** The outcome of an attempt. */
export interface DeliveryOutcome extends DueDelivery {
  readonly state: DeliveryState;
  readonly nextMs: number | null;
}

/** What a worker stores of a webhook. */
export interface WebhookSettlement {
  readonly outcomes: readonly DeliveryOutcome[];
  readonly cursor: number;
  readonly failingSinceMs: number | null;
  readonly failures: number;
  /** When and why the webhook is disabled; null when it is not. */
  readonly disabled: { readonly time: string; readonly reason: string } | null;
  /** Releases the webhook, to be claimed from this time on; null keeps the claim and its lease. */
  readonly releasedAtMs: number | null;
}

/** The work on webhooks that workers share. Those with events after their cursor, or deliveries that are due, can be claimed. */
export interface WebhookQueue extends Pick<Leases<ClaimedWebhook>, 'claim' | 'renew'> {
  /** What the caller that covers the webhook may do now. */
  readPresentRights(place: WebhookPlace): Promise<PresentRights>;
  /** The deliveries that are due, the earliest first. */
  findDue(
    claim: ClaimedWebhook,
    request: { readonly nowMs: number; readonly limit: number },
  ): Promise<readonly DueDelivery[]>;
  /** Stores outcomes and the cursor in one transaction; false without effect when the claim is lost. */
  settle(claim: ClaimedWebhook, settlement: WebhookSettlement): Promise<boolean>;
  /** The events that webhooks have not got to yet, and the deliveries that are to be tried again, for metrics. */
  measureBacklog(): Promise<Backlog>;
  /** Removes some deliveries with ids before this one, and those of deleted webhooks; true when there may be more. */
  removeDeliveries(beforeId: string): Promise<boolean>;
}

/** Webhooks, their deliveries, and the work of delivering. */
export interface WebhookStore extends WebhookSettingsStore, DeliveryStore, WebhookQueue {}
