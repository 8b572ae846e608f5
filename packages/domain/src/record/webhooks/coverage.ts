import { authorize, type Caller, MANAGE_WEBHOOKS } from '../../administration/authorization.ts';
import type { Capability } from '../../administration/capability.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import type { EventReader } from '../events/patterns.ts';

/** The rights under which the caller that covers a webhook set it. */
export interface CoveringRights {
  readonly scopes: readonly string[];
  /** Null for an application. */
  readonly identityId: string | null;
}

/** What of these rights there is now. */
export interface PresentRights {
  /** Null when the client is gone. */
  readonly scopes: readonly string[] | null;
  /** Null when the identity is gone; empty for an application. */
  readonly capabilities: readonly Capability[] | null;
}

/** The reader whose events a webhook gets now, or why it must be disabled: what its caller may not do itself, it does not do either. */
export function webhookReaderOf(
  { scopes, identityId }: CoveringRights,
  present: PresentRights,
): Result<EventReader, string> {
  // The clients of an identity are deleted with it.
  if (present.capabilities === null) return fail('The identity that set the webhook is deleted.');
  if (present.scopes === null) return fail('The client that set the webhook is deleted.');
  const held = new Set(present.scopes);
  const caller: Caller = {
    tenant: '',
    clientId: '',
    scopes: new Set(scopes.filter((scope) => held.has(scope))),
    identityId,
    capabilities: present.capabilities,
  };
  return authorize(MANAGE_WEBHOOKS, caller).ok
    ? ok(caller)
    : fail('The caller that configured the webhook may no longer manage webhooks.');
}
