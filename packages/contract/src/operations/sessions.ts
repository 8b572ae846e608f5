import { SESSION_FILTERS, sessions } from '../schemas/sessions.ts';
import { defineOperation, jsonResponse, NO_CONTENT } from './define-operation.ts';

const group = 'Sessions';

/** The operations on sessions. */
export const SESSIONS = {
  list: defineOperation({
    id: 'list-sessions-v1',
    method: 'GET',
    path: '/sessions/v1',
    group,
    summary: 'List of sessions: of an identity its own, of an administrator all',
    description:
      'Lists sessions that can be used, with what was proven at sign-in and the address they began from. An identity sees its own and needs neither scope nor capability for them; `ORG_ADMIN` and applications see all of the tenant.',
    rights: {
      scopes: ['sessions:read', 'sessions:manage'],
      capabilities: ['ORG_ADMIN'],
      resource: 'SESSION',
      forOwn: 'NOTHING_FOR_ROWS',
    },
    list: true,
    filters: SESSION_FILTERS,
    response: jsonResponse(sessions),
  }),
  end: defineOperation({
    id: 'end-session-v1',
    method: 'DELETE',
    path: '/sessions/v1/{id}',
    group,
    summary: 'End a session',
    description:
      'Ends a session at once, in every process within a second. An identity ends its own without scope or capability.',
    rights: { scopes: ['sessions:manage'], capabilities: ['ORG_ADMIN'], resource: 'SESSION', forOwn: 'NOTHING' },
    response: NO_CONTENT,
    errors: [404],
    owner: 'SESSION',
  }),
} as const;
