import { parseFilters, WEBHOOK_DELIVERY_FILTERS, type webhookReplay } from '@access-admin/contract';
import { type Failure, fail, failure, ok, type Result, type WebhookDelivery } from '@access-admin/domain';
import { createDeliveryIds, type DeliveryCondition, type WebhookPlace } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import type { ApiFailure } from '../../http/problem.ts';
import {
  auditContextOfRequest,
  type OperationHandler,
  type OperationRequest,
  type OperationResult,
} from '../../operations/operation.ts';
import { answerList, parseListQuery, queryOf } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';
import { NO_KEY } from './secrets.ts';
import { NO_WEBHOOK, showWebhook, type WebhookDeps } from './settings.ts';

/** list-webhook-deliveries-v1 */
export const listWebhookDeliveries =
  ({ store: { webhooks }, baseAddress }: WebhookDeps): OperationHandler =>
  async (request) => {
    const query = queryOf(request);
    const page = parseListQuery(query);
    if (!page.ok) return page;
    const conditions = parseConditions(query);
    if (!conditions.ok) return conditions;
    const place = placeOf(request);
    if ((await webhooks.find(place.tenant, place.webhookId)) === null) return fail(NO_WEBHOOK);
    return answerList(request, baseAddress, {
      list: (rows) => webhooks.listDeliveries(place, conditions.value, rows),
      count: () => webhooks.countDeliveries(place, conditions.value),
    });
  };

/** resend-webhook-delivery-v1 */
export const resendWebhookDelivery =
  ({ store: { webhooks }, cipher, now }: WebhookDeps): OperationHandler =>
  async (request) => {
    const place = placeOf(request);
    const webhook = await webhooks.find(place.tenant, place.webhookId);
    if (webhook === null) return fail(NO_WEBHOOK);
    if (cipher === null) return fail(NO_KEY);
    if (!webhook.enabled) return fail(failure('Conflict', '', 'the webhook is disabled: enable it first'));
    const time = now();
    const id = request.params['deliveryId'] ?? '';
    const auditContext = auditContextOfRequest(request, time);
    return answerDelivery(await webhooks.resend(auditContext, place, { id, nowMs: time.getTime() }));
  };

/** test-webhook-v1 */
export const testWebhook = ({ store: { webhooks }, cipher, now, newId }: WebhookDeps): OperationHandler => {
  const newDeliveryId = createDeliveryIds(newId);
  return async (request) => {
    const place = placeOf(request);
    const webhook = await webhooks.find(place.tenant, place.webhookId);
    if (webhook === null) return fail(NO_WEBHOOK);
    if (cipher === null) return fail(NO_KEY);
    const time = now();
    const test = {
      ...place,
      id: newDeliveryId(time.getTime()),
      eventId: newId(),
      created: time.toISOString(),
      data: JSON.stringify(showWebhook(webhook)),
    };
    return answerDelivery(await webhooks.test(auditContextOfRequest(request, time), test, time.getTime()));
  };
};

/** replay-webhook-v1 */
export const replayWebhook =
  ({ store: { webhooks }, cipher, now }: WebhookDeps): OperationHandler =>
  async (request) => {
    const { after } = request.body as InferOutput<typeof webhookReplay>;
    const place = placeOf(request);
    const webhook = await webhooks.find(place.tenant, place.webhookId);
    if (webhook === null) return fail(NO_WEBHOOK);
    if (cipher === null) return fail(NO_KEY);
    const replayed = await webhooks.replay(auditContextOfRequest(request, now()), place, Number(after));
    if (replayed === 'notFound') return fail(NO_WEBHOOK);
    if (replayed === 'gone')
      return fail(
        failure('Conflict', 'after', 'the events after this sequence are not kept, or there is no such event'),
      );
    return ok({ json: showWebhook(webhook) });
  };

const placeOf = ({ caller, params }: OperationRequest): WebhookPlace => ({
  tenant: caller.tenant,
  webhookId: params['id'] ?? '',
});

const answerDelivery = (delivery: WebhookDelivery | null): Result<OperationResult, ApiFailure> =>
  delivery === null ? fail(failure('NotFound', '', 'There is no such delivery.')) : ok({ json: delivery });

function parseConditions(query: URLSearchParams): Result<readonly DeliveryCondition[], Failure> {
  const filters = onceOf(query, 'filters');
  if (!filters.ok) return filters;
  const conditions = filters.value === null ? ok([]) : parseFilters(filters.value, WEBHOOK_DELIVERY_FILTERS);
  return conditions.ok ? ok(conditions.value as readonly DeliveryCondition[]) : conditions;
}
