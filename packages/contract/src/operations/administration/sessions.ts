import type { FilterField } from '../../query/filters.ts';
import { sessions } from '../../schemas/administration/sessions.ts';
import { defaults, jsonResponse, NO_CONTENT, type Operation } from '../definition.ts';

const group = 'Sessions';

/** The fields that sessions can be filtered by. */
export const SESSION_FILTERS = {
  identityId: { operators: ['eq'], kind: 'text' },
} as const satisfies Readonly<Record<string, FilterField>>;

/** The operations on sessions. */
export const SESSION_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'list-sessions-v1',
    method: 'GET',
    path: '/sessions/v1',
    group,
    summary: 'List of sessions: of an identity its own, of an administrator all',
    response: jsonResponse(sessions),
    list: true,
    filters: SESSION_FILTERS,
  },
  {
    ...defaults,
    id: 'end-session-v1',
    method: 'DELETE',
    path: '/sessions/v1/{id}',
    group,
    summary: 'End a session',
    response: NO_CONTENT,
    errorStatuses: [404],
  },
];
