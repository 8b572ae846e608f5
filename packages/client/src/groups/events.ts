import type { CloudEvent } from '@access-admin/contract';
import { RateLimitedError, TokenError } from '../errors.ts';
import { backoffMs, isTransient } from '../http/retry.ts';
import type { Runtime } from '../http/runtime.ts';
import { parseSse } from '../http/sse.ts';
import type { CallOptions, Transport } from '../http/transport.ts';

/** Which events are read. */
export interface EventOptions extends CallOptions {
  /** The `sequence` of the last event that is known; from the oldest kept event on if left out. */
  readonly after?: string | undefined;
  /** Such as `sod.check.completed` or `sod.violation.*`; all that the caller may see if left out. */
  readonly types?: readonly string[] | undefined;
}

/** A page of events. */
export interface EventPage {
  readonly items: readonly CloudEvent[];
  /** `after` of the next page, also where this one is empty. */
  readonly last: string;
}

/** Which page of events to read. */
export interface EventPageOptions extends EventOptions {
  /** 1 to 1000, the default. */
  readonly limit?: number | undefined;
  /** How long to wait for an event where there is none yet: up to 30 s; not at all if left out. */
  readonly waitSeconds?: number | undefined;
}

/** Which events a stream has, and who is told of its connection. */
export interface EventStreamOptions extends Omit<EventOptions, 'timeoutMs'> {
  /** Called with true whenever a connection is there, and with false when it has ended, before the next one is made. */
  readonly onConnection?: ((isConnected: boolean) => void) | undefined;
}

/** What happens in the tenant. */
export interface Events {
  /** Iterates over the events up to the present, a page at a time. */
  list(options?: EventOptions): AsyncIterable<CloudEvent>;
  /** Reads one page. Rejects with an `ApiError` of status 410 where events after `after` are no longer kept. */
  page(options?: EventPageOptions): Promise<EventPage>;
  /** The `sequence` of the last event, whatever its type: a stream with it as `after` tells what happens from now on. */
  last(options?: CallOptions): Promise<string>;
  /**
   * Iterates over events as they happen, each once and in order, until the signal is aborted, which ends it without an error.
   * It connects again as often as needed; an error that does not pass, such as a missing right or status 410, rejects.
   */
  stream(options?: EventStreamOptions): AsyncIterable<CloudEvent>;
}

// Streams have a comment every 15 s.
const SILENCE_MS = 45_000;

/** A full room of streams has space once others end. */
const mayPass = (error: unknown): boolean => error instanceof RateLimitedError || isTransient(error);

/** Builds the reads of events. */
export function createEvents(transport: Transport, runtime: Runtime): Events {
  const path = '/events/v1';
  const queryOf = ({ after, types }: EventOptions) => ({ after, types: types?.join() });
  const page: Events['page'] = async (options = {}) => {
    const { limit, waitSeconds, timeoutMs, signal } = options;
    const { value, headers } = await transport.call<readonly CloudEvent[]>({
      method: 'GET',
      path,
      query: { ...queryOf(options), limit },
      ...(waitSeconds === undefined ? {} : { headers: { prefer: `wait=${waitSeconds}` } }),
      options: { signal, timeoutMs: timeoutMs ?? (waitSeconds === undefined ? undefined : SILENCE_MS) },
    });
    return { items: value, last: headers.get('x-last-sequence') ?? '' };
  };
  const streamOf = { method: 'GET', path, headers: { accept: 'text/event-stream' } } as const;
  async function* connect(options: EventStreamOptions) {
    const { signal, onConnection } = options;
    const request = { ...streamOf, query: queryOf(options) };
    const pieces = transport.stream({ ...request, options: { signal, timeoutMs: SILENCE_MS } });
    yield* parseSse(onConnection === undefined ? pieces : noteConnection(pieces, onConnection));
  }
  return {
    page,
    // A page names the last event that was examined for it, a stream the last one that there is.
    last: async (options) => (await transport.headers({ ...streamOf, options })).get('x-last-sequence') ?? '',
    async *list(options) {
      for (let after = options?.after; ; ) {
        const { items, last } = await page({ ...options, after });
        yield* items;
        // A page of a filtered list may be empty before its end.
        if (last === after || last === '') return;
        after = last;
      }
    },
    async *stream({ after: start, types, signal, onConnection } = {}) {
      let after = start;
      for (let failures = 0; !signal?.aborted; failures++) {
        try {
          for await (const { id, data } of connect({ after, types, signal, onConnection })) {
            if (signal?.aborted) return;
            after = id;
            failures = 0;
            if (data !== '') yield JSON.parse(data);
          }
          await runtime.sleep(backoffMs(failures, runtime.random), signal);
        } catch (error) {
          if (signal?.aborted) return;
          if (!mayPass(error instanceof TokenError ? error.cause : error)) throw error;
          await runtime.sleep(backoffMs(failures, runtime.random), signal).catch(() => {});
        }
      }
    },
  };
}

/** The service sends a first piece at once. */
async function* noteConnection(
  pieces: AsyncIterable<Uint8Array>,
  onConnection: (isConnected: boolean) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isConnected = false;
  try {
    for await (const piece of pieces) {
      if (!isConnected) onConnection(true);
      isConnected = true;
      yield piece;
    }
  } finally {
    if (isConnected) onConnection(false);
  }
}
