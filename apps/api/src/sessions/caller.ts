import { type Caller, SCOPES } from '@access-admin/domain';
import type { CallingSession } from '@access-admin/store';

/** Operations on tenants are for applications. */
const SCOPES_OF_SESSION: ReadonlySet<string> = new Set(SCOPES.filter((scope) => scope !== 'tenants:manage'));

/** The client id of calls by a session. */
const clientIdOf = (sessionId: string): string => `session:${sessionId}`;

/** The caller of a session: its identity, with every scope that an identity can have and its present capabilities. */
export const callerOfSession = (tenant: string, session: CallingSession): Caller => ({
  tenant,
  clientId: clientIdOf(session.id),
  clientCreated: null,
  scopes: SCOPES_OF_SESSION,
  identityId: session.identityId,
  capabilities: session.capabilities,
  sessionId: session.id,
  provenMs: session.provenMs,
});
