import { accepts } from 'hono/accepts';
import type { RequestContext } from '../../env.ts';

/** How events are sent. */
export type EventFormat = 'json' | 'ndjson' | 'stream';

const FORMATS: ReadonlyMap<string, EventFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['text/event-stream', 'stream'],
]);
const ARRAY = 'application/json';

/** The first format of those that `Accept` rates highest (RFC 9110); a JSON array where it names none, or ranges alone. */
export function formatOf(c: RequestContext): EventFormat {
  const type = accepts(c, {
    header: 'Accept',
    supports: [...FORMATS.keys()],
    default: ARRAY,
    // The ranges come with the highest rated first.
    match: (ranges, { supports }) => {
      const named = ranges.filter(({ q }) => q > 0).map((range) => range.type.toLowerCase());
      return named.find((name) => supports.includes(name)) ?? ARRAY;
    },
  });
  return FORMATS.get(type) ?? 'json';
}
