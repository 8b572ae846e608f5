import {
  coveredTypes,
  type EventType,
  ok,
  type PresentRights,
  type Result,
  webhookReaderOf,
} from '@access-admin/domain';
import type { WebhookRights } from '@access-admin/store';

/** The event types that a webhook gets now, or why it must be disabled. */
export function typesOf(
  { types, rights }: { readonly types: readonly string[]; readonly rights: WebhookRights },
  present: PresentRights,
): Result<readonly EventType[], string> {
  const coverage = webhookReaderOf(rights, present);
  return coverage.ok ? ok(coveredTypes(types, coverage.value)) : coverage;
}
