import { EVENTS_LIMIT_MAX } from '@access-admin/contract';
import {
  EVENT_TYPE_NAMES,
  type EventType,
  type Failure,
  fail,
  failure,
  ok,
  parseEventPatterns,
  type Result,
} from '@access-admin/domain';
import type { OperationRequest } from '../../operations/operation.ts';
import { queryOf } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';

/** How events are sent. */
export type EventFormat = 'json' | 'ndjson' | 'stream';

/** What a caller asks for. */
export interface EventsRequest {
  readonly format: EventFormat;
  /** Null for the oldest kept events. */
  readonly after: number | null;
  /** The types that the patterns name, whether the caller may read them or not. */
  readonly types: readonly EventType[];
  readonly limit: number;
}

/** Parses `after`, `types`, `limit`, `Accept` and, of a stream, `Last-Event-ID`. */
export function parseEventsRequest(request: OperationRequest): Result<EventsRequest, Failure> {
  const query = queryOf(request);
  const format = formatOf(request.c.req.header('accept'));
  const after = parseAfter(query, format === 'stream' ? request.c.req.header('last-event-id') : undefined);
  if (!after.ok) return after;
  const patterns = onceOf(query, 'types');
  if (!patterns.ok) return patterns;
  const types = patterns.value === null ? ok(EVENT_TYPE_NAMES) : parseEventPatterns(patterns.value.split(','), 'types');
  if (!types.ok) return types;
  const limit = onceOf(query, 'limit');
  if (!limit.ok) return limit;
  const count = Number(limit.value ?? EVENTS_LIMIT_MAX);
  if (!/^\d{1,4}$/.test(limit.value ?? '1') || count < 1 || count > EVENTS_LIMIT_MAX)
    return fail(failure('IllegalValue', 'limit', `must be a whole number from 1 to ${EVENTS_LIMIT_MAX}, given once`));
  return ok({ format, after: after.value, types: types.value, limit: count });
}

/** A reader that reconnects has seen more than it began with. */
function parseAfter(query: URLSearchParams, lastEventId: string | undefined): Result<number | null, Failure> {
  const given = onceOf(query, 'after');
  if (!given.ok) return given;
  const [at, text] =
    lastEventId === undefined || lastEventId === '' ? ['after', given.value] : ['Last-Event-ID', lastEventId];
  if (text === null) return ok(null);
  if (!/^\d{1,20}$/.test(text))
    return fail(failure('IllegalValue', at, 'must be the sequence of an event: up to 20 decimal digits'));
  // Every number beyond is beyond the last event too.
  return ok(Math.min(Number(text), Number.MAX_SAFE_INTEGER));
}

const FORMATS: Readonly<Record<string, EventFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/event-stream': 'stream',
};

/** The first format of those that `Accept` rates highest (RFC 9110); a JSON array where it names none. */
function formatOf(accept: string | undefined): EventFormat {
  let [best, bestQuality]: [EventFormat, number] = ['json', 0];
  for (const range of accept?.split(',') ?? []) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    const format = FORMATS[type];
    if (format !== undefined && quality > bestQuality) [best, bestQuality] = [format, quality];
  }
  return best;
}
