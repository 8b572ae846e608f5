import { EVENT_TYPE_NAMES, type EventType, ok, parseEventPatterns } from '@access-admin/domain';
import { EVENTS_LIMIT_MAX } from '../limits.ts';
import { onceOf } from '../query/once-of.ts';
import { numberParameter, parseSequence } from '../query/parameters.ts';
import type { QueryParameter } from '../query/parse-query.ts';
import { events } from '../schemas/events.ts';
import { defineOperation, jsonResponse } from './define-operation.ts';

const AFTER: QueryParameter<number | null> = {
  description: 'Only events after this sequence; from the oldest kept event on if left out.',
  parse: (query) => {
    const text = onceOf(query, 'after');
    return text.ok ? parseSequence(text.value, 'after') : text;
  },
};

/** The types that the patterns name, whether the caller may read them or not. */
const TYPES: QueryParameter<readonly EventType[]> = {
  description:
    'Only these types, separated by commas: `sod.check.completed`, `sod.violation.*` or `*`; all that the caller may see if left out.',
  parse: (query) => {
    const patterns = onceOf(query, 'types');
    if (!patterns.ok) return patterns;
    return patterns.value === null ? ok(EVENT_TYPE_NAMES) : parseEventPatterns(patterns.value.split(','), 'types');
  },
};

/** The operation that reads events. */
export const EVENTS = {
  list: defineOperation({
    id: 'list-events-v1',
    method: 'GET',
    path: '/events/v1',
    group: 'Events',
    summary: 'What has happened, by sequence: a page, the next event, or a stream',
    description:
      'Returns what has happened in the tenant as CloudEvents, by sequence: those events whose resource the caller may read. `Accept` asks for a JSON array, for NDJSON (`application/x-ndjson`) or for a stream of server-sent events (`text/event-stream`), which goes on for up to an hour and resumes after `Last-Event-ID`. `Prefer: wait=n` holds a page until there is an event. Go on with `after` set to the header `X-Last-Sequence`, also after an empty page. Events are kept for EVENT_RETENTION_DAYS; `after` older than that, or beyond the last event, is answered with 410 and `X-Oldest-Sequence`.',
    rights: {
      scopes: ['events:read'],
      capabilities: ['ORG_ADMIN', 'POLICY_ADMIN', 'das:ui-auditor'],
      resource: 'EVENT',
    },
    query: {
      after: AFTER,
      types: TYPES,
      limit: numberParameter(
        {
          name: 'limit',
          max: EVENTS_LIMIT_MAX,
          fallback: EVENTS_LIMIT_MAX,
          description: `The largest number of events of a page, 1 to ${EVENTS_LIMIT_MAX}, the default.`,
        },
        ', given once',
      ),
    },
    response: {
      ...jsonResponse(events),
      otherMediaTypes: ['application/x-ndjson', 'text/event-stream'],
      headers: {
        'X-Last-Sequence': 'The last event that was examined: go on with `after` set to it.',
        'X-Oldest-Sequence': 'The oldest event that is kept.',
      },
    },
    errors: [400, 410],
    waits: true,
  }),
} as const;
