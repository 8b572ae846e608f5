import { validate, webhookSettings } from '@access-admin/contract';
import {
  authorizePatterns,
  type Caller,
  type Failure,
  fail,
  failure,
  type NotFound,
  ok,
  type Patch,
  parseWebhookPatch,
  patchWebhookSettings,
  type Result,
  type UrlParts,
  validatePatterns,
  validateTarget,
  type Webhook,
  type WebhookSettings,
} from '@access-admin/domain';
import type { SecretCipher, Store, WebhookRecord, WebhookRights } from '@access-admin/store';
import type { OperationHandler } from '../../operations/operation.ts';
import { auditContextOfRequest } from '../../operations/operation.ts';
import { answerList } from '../answers/list.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface WebhookDeps {
  readonly store: Pick<Store, 'webhooks'>;
  /** Null where the operator has given no key. */
  readonly cipher: SecretCipher | null;
  /** The origins that webhooks may have although they are not public. */
  readonly webhookTargets: ReadonlySet<string>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
  /** 32 random bytes in Base64url. */
  readonly newSecret: () => string;
}

/** list-webhooks-v1 */
export const listWebhooks =
  ({ store: { webhooks }, baseAddress }: WebhookDeps): OperationHandler =>
  (request) => {
    const { tenant } = request.caller;
    return answerList(request, baseAddress, {
      list: async (page) => (await webhooks.list(tenant, page)).map(showWebhook),
      count: () => webhooks.count(tenant),
    });
  };

/** get-webhook-v1 */
export const getWebhook =
  ({ store: { webhooks } }: WebhookDeps): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const found = await webhooks.find(caller.tenant, id);
    return found === null ? fail(NO_WEBHOOK) : withEtag(showWebhook(found));
  };

/** patch-webhook-v1 */
export const patchWebhook =
  ({ store: { webhooks }, webhookTargets, now }: WebhookDeps): OperationHandler =>
  async (request) => {
    const patch = parseWebhookPatch(request.body);
    if (!patch.ok) return patch;
    const auditContext = auditContextOfRequest(request, now());
    const given = { patch: patch.value, caller: request.caller, targets: webhookTargets, time: auditContext.time };
    const changed = await webhooks.change(auditContext, request.params['id'] ?? '', {
      precondition: (webhook) => ifMatch(request)(showWebhook(webhook)),
      decide: (before) => decidePatch(before, given),
    });
    return changed.ok ? withEtag(showWebhook(changed.value)) : changed;
  };

interface GivenPatch {
  readonly patch: Patch;
  readonly caller: Caller;
  readonly targets: ReadonlySet<string>;
  readonly time: string;
}

function decidePatch(
  before: WebhookRecord,
  { patch, caller, targets, time }: GivenPatch,
): Result<WebhookRecord, Failure> {
  const patched = patchWebhookSettings(before, patch);
  const settings = patched.ok ? validate(webhookSettings, patched.value) : patched;
  if (!settings.ok) return settings;
  const isUnchanged = JSON.stringify(settingsOf(before)) === JSON.stringify(settingsOf(settings.value));
  if (isUnchanged) return ok(before);
  const after = { ...before, ...settings.value, modified: time };
  // Else a caller could read by its own URL what another caller may read. The caller that enables it covers it from then on.
  const isEnabledAgain = after.enabled && !before.enabled;
  const tellsOther = isEnabledAgain || after.url !== before.url || after.types.join() !== before.types.join();
  if (!tellsOther) return ok(after);
  const refusal = refuseSettings(after, caller, targets);
  return refusal === null ? ok({ ...after, url: hrefOf(after.url), rights: rightsOf(caller) }) : fail(refusal);
}

/** delete-webhook-v1 */
export const deleteWebhook =
  ({ store: { webhooks }, now }: WebhookDeps): OperationHandler =>
  async (request) => {
    const deleted = await webhooks.delete(auditContextOfRequest(request, now()), request.params['id'] ?? '', {
      precondition: (webhook) => ifMatch(request)(showWebhook(webhook)),
      decide: (): Result<null, Failure> => ok(null),
    });
    return deleted.ok ? ok({ json: null }) : deleted;
  };

/** Why a caller may not have a webhook with these settings; null if it may. */
export function refuseSettings(
  { url, types }: Pick<WebhookSettings, 'url' | 'types'>,
  caller: Caller,
  targets: ReadonlySet<string>,
): Failure | null {
  const parsed = URL.parse(url);
  if (parsed === null) return failure('IllegalValue', 'url', 'must be an address, such as https://example.com/hook');
  return validateTarget(partsOf(parsed), targets) ?? validatePatterns(types) ?? authorizePatterns(types, caller);
}

const partsOf = ({ href, protocol, hostname, port, username, password, hash, origin }: URL): UrlParts => ({
  ...{ href, protocol, hostname, port, username, password, hash, origin },
});

/** The URL as connections read it, whatever form was given. */
export const hrefOf = (url: string): string => new URL(url).href;

/** The rights that decide which events a webhook gets. */
export const rightsOf = ({ clientId, clientCreated = null, scopes, identityId }: Caller): WebhookRights => ({
  client: clientCreated === null ? null : { id: clientId, created: clientCreated },
  scopes: [...scopes].toSorted(),
  identityId,
});

const settingsOf = ({ name, url, types, enabled }: WebhookSettings) => ({ name, url, types, enabled });

/** Lists the properties, so that none that storage adds is ever shown. */
export const showWebhook = ({ id, created, modified, ...webhook }: WebhookRecord): Webhook => ({
  id,
  ...settingsOf(webhook),
  created,
  modified,
});

export const NO_WEBHOOK: NotFound = failure('NotFound', '', 'There is no such webhook.');
