import {
  DELIVERY_STATES,
  type DisabledWebhook,
  isEventPattern,
  WEBHOOK_FORMATS,
  type Webhook,
  type WebhookDelivery,
} from '@access-admin/domain';
import * as v from 'valibot';
import { WEBHOOK_TYPES_MAX, WEBHOOK_URL_LENGTH_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import {
  atMost,
  closedObject,
  distinct,
  listOfAtMost,
  name,
  reference,
  timestamp,
  wholeNumber,
} from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { failsWith, illegal } from '../validation/validate.ts';

/** The fields that `filters` of the list of deliveries can compare. */
export const WEBHOOK_DELIVERY_FILTERS = {
  state: { operators: ['eq', 'in'], kind: 'text', values: DELIVERY_STATES },
  type: { operators: ['eq'], kind: 'text' },
} as const satisfies FilterFields;

const format = v.picklist(WEBHOOK_FORMATS);

const pattern = v.pipe(
  reference,
  v.check(
    isEventPattern,
    illegal('must be a type of event, the beginning of one followed by .*, such as sod.check.*, or *'),
  ),
);

// As connections read it, whatever form was given. `validateTarget` judges it by the configuration.
const url = v.pipe(
  reference,
  v.check((text) => URL.canParse(text), illegal('must be an address, such as https://example.com/hook')),
  atMost(WEBHOOK_URL_LENGTH_MAX),
  v.transform((text) => new URL(text).href),
  atMost(WEBHOOK_URL_LENGTH_MAX),
  v.transform((href) => new URL(href)),
  v.check(({ username, password }) => username + password === '', illegal('must not contain a user or a password')),
  v.check(({ hash }) => hash === '', illegal('must not contain a fragment, which is never sent')),
  v.check(({ protocol }) => /^https?:$/.test(protocol), illegal('must be an https address')),
  v.transform(({ href }) => href),
);

const settings = {
  name,
  url,
  types: distinct(
    v.pipe(
      listOfAtMost(pattern, WEBHOOK_TYPES_MAX, 'patterns'),
      v.nonEmpty(failsWith('RequiredMissing', 'must not be empty')),
    ),
  ),
};

/** Request that creates a webhook. */
export const newWebhook = requestSchema(
  'CreateWebhookRequest',
  closedObject({ ...settings, format: v.optional(format, 'cloudevents'), enabled: v.optional(v.boolean(), true) }),
);

/** Patches of the settings of a webhook. */
export const webhookPatch = resourcePatch(closedObject({ ...settings, format, enabled: v.boolean() }), {
  name: 'required',
  url: 'required',
  types: 'required',
  format: 'required',
  enabled: 'required',
});

/** Request without properties. */
export const webhookAction = closedObject({});

/** Request that delivers events again. */
export const webhookReplay = closedObject({
  after: v.pipe(
    v.string(),
    v.regex(/^\d{1,20}$/, illegal('must be the sequence of an event, in up to 20 digits')),
    v.check((text) => Number.isSafeInteger(Number(text)), illegal('must be the sequence of an event')),
  ),
});

/** A webhook just created or with another secret: the only answers that have the secret. */
export interface WebhookWithSecret extends Webhook {
  /** `whsec_` and Base64, as Standard Webhooks has it. */
  readonly secret: string;
}

const entries = {
  id: v.string(),
  name: v.string(),
  url: v.string(),
  types: v.array(v.string()),
  format,
  enabled: v.boolean(),
  created: timestamp,
  modified: timestamp,
};

const shownWebhook = closedObject(entries);

/** Response of the operations on one webhook. */
export const webhook = responseSchema<Webhook>('Webhook')(shownWebhook);

/** The data of the event that tells that a webhook is disabled. */
export const disabledWebhook = responseSchema<DisabledWebhook>('DisabledWebhook')(
  closedObject({ ...entries, reason: v.string() }),
);

/** Response of the list of webhooks. */
export const webhooks = responseSchema<readonly Webhook[]>()(v.array(shownWebhook));

/** Response of the creation and of the rotation. */
export const webhookWithSecret = responseSchema<WebhookWithSecret>('WebhookWithSecret')(
  closedObject({ ...entries, secret: v.string() }),
);

const shownDelivery = closedObject({
  id: v.string(),
  eventId: v.string(),
  type: v.string(),
  sequence: v.nullable(v.string()),
  state: v.picklist(DELIVERY_STATES),
  created: timestamp,
  attempts: v.array(
    closedObject({
      time: timestamp,
      status: v.nullable(wholeNumber),
      duration: wholeNumber,
      error: v.nullable(v.string()),
    }),
  ),
  next: v.nullable(timestamp),
});

/** Response of the operations on one delivery. */
export const webhookDelivery = responseSchema<WebhookDelivery>('WebhookDelivery')(shownDelivery);

/** Response of the list of deliveries. */
export const webhookDeliveries = responseSchema<readonly WebhookDelivery[]>()(v.array(shownDelivery));
