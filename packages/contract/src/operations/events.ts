import { EVENTS_LIMIT_MAX } from '../limits.ts';
import { events } from '../schemas/events.ts';
import { defaults, jsonResponse, type Operation } from './definition.ts';

/** The operation that reads events. */
export const EVENT_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'list-events-v1',
    method: 'GET',
    path: '/events/v1',
    group: 'Events',
    summary: 'What has happened, by sequence: a page, the next event, or a stream',
    response: jsonResponse(events),
    otherMediaTypes: ['application/x-ndjson', 'text/event-stream'],
    waits: true,
    query: [
      { name: 'after', description: 'Only events after this sequence; from the oldest kept event on if left out.' },
      {
        name: 'types',
        description:
          'Only these types, separated by commas: `sod.check.completed`, `sod.violation.*` or `*`; all that the caller may see if left out.',
      },
      { name: 'limit', description: `The largest number of events of a page, 1 to ${EVENTS_LIMIT_MAX}, the default.` },
    ],
    errorStatuses: [400, 410],
  },
];
