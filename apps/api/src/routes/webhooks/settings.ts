import { webhookPatch } from '@access-admin/contract';
import {
  authorizePatterns,
  type Caller,
  type Failure,
  fail,
  ok,
  type Patch,
  type Result,
  validateTarget,
  type Webhook,
  type WebhookSettings,
} from '@access-admin/domain';
import type { WebhookRecord, WebhookRights } from '@access-admin/store';

/** A patch of a webhook, the caller that sends it, and the time. */
interface GivenPatch {
  readonly patch: Patch;
  readonly caller: Caller;
  readonly targets: ReadonlySet<string>;
  readonly time: string;
}

/** The webhook as a patch leaves it, or why the caller may not change it like that. */
export function decidePatch(
  before: WebhookRecord,
  { patch, caller, targets, time }: GivenPatch,
): Result<WebhookRecord, Failure> {
  const settings = webhookPatch.apply(before, patch);
  if (!settings.ok) return settings;
  const isUnchanged = JSON.stringify(settingsOf(before)) === JSON.stringify(settingsOf(settings.value));
  if (isUnchanged) return ok(before);
  const after = { ...before, ...settings.value, modified: time };
  // Else a caller could read by its own URL what another caller may read. The caller that enables it covers it from then on.
  const isEnabledAgain = after.enabled && !before.enabled;
  const tellsOther = isEnabledAgain || after.url !== before.url || after.types.join() !== before.types.join();
  if (!tellsOther) return ok(after);
  const refusal = refuseSettings(after, caller, targets);
  return refusal === null ? ok({ ...after, rights: rightsOf(caller) }) : fail(refusal);
}

/** Why a caller may not have a webhook with these settings; null if it may. */
export function refuseSettings(
  { url, types }: Pick<WebhookSettings, 'url' | 'types'>,
  caller: Caller,
  targets: ReadonlySet<string>,
): Failure | null {
  return validateTarget(new URL(url), targets) ?? authorizePatterns(types, caller);
}

/** The rights that decide which events a webhook gets. */
export const rightsOf = ({ clientId, clientCreated = null, scopes, identityId }: Caller): WebhookRights => ({
  client: clientCreated === null ? null : { id: clientId, created: clientCreated },
  scopes: [...scopes].toSorted(),
  identityId,
});

const settingsOf = ({ name, url, types, format, enabled }: WebhookSettings) => ({ name, url, types, format, enabled });

/** Lists the properties, so that none that storage adds is ever shown. */
export const showWebhook = ({ id, created, modified, ...webhook }: WebhookRecord): Webhook => ({
  id,
  ...settingsOf(webhook),
  created,
  modified,
});
