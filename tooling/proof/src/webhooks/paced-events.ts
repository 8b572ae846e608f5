import { setTimeout as delay } from 'node:timers/promises';
import type { AccessAdminClient } from '@access-admin/client';
import { waitUntil } from '../campaign/wait-until.ts';
import { GRANT } from '../load/company.ts';
import type { Receiver } from './receiver.ts';

/** How long the last events may take. */
const ARRIVE_MS_MAX = 20_000;

/** A tenant with a webhook whose receiver is well. */
export interface Subscriber {
  readonly name: string;
  readonly client: AccessAdminClient;
  readonly receiver: Receiver;
}

/** How long events took from the request to the receiver, in milliseconds. */
export interface Latencies {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** Events that did not arrive, and requests that failed. */
  readonly failures: readonly string[];
}

export interface Pace {
  readonly count: number;
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

/** Changes settings and starts checks at a pace that does not wait for answers, and measures their events. */
export async function measureEvents(
  { name, client, receiver }: Subscriber,
  { count, everyMs, signal }: Pace,
): Promise<Latencies> {
  const first = receiver.arrivals.length;
  const sentMs = new Map<string, number>();
  const pending: Promise<unknown>[] = [];
  const failures: string[] = [];
  const run = `${name} ${first}`;
  const startMs = performance.now();
  for (let number = 0; number < count; number++) {
    await delay(Math.max(0, startMs + number * everyMs - performance.now()), undefined, { signal });
    const mark = `${run} ${number}`;
    sentMs.set(mark, performance.now());
    const sent: Promise<unknown> =
      number % 2 === 0
        ? client.uiMetadata.set({ usernameLabel: mark })
        : client.sodViolations.check({ ...GRANT, clientMetadata: { mark } });
    pending.push(sent.catch((error: unknown) => failures.push(String(error))));
  }
  await Promise.all(pending);
  const arrivedMs = new Map<string, number>();
  let read = first;
  const hasAll = () => {
    for (const { text, arrivedMs: ms } of receiver.arrivals.slice(read)) {
      read += 1;
      const mark = markOf(text);
      if (sentMs.has(mark) && !arrivedMs.has(mark)) arrivedMs.set(mark, ms);
    }
    return arrivedMs.size === sentMs.size;
  };
  await waitUntil(hasAll, { msMax: ARRIVE_MS_MAX, everyMs: 20, signal });
  const latencies = [...arrivedMs].map(([mark, ms]) => ms - (sentMs.get(mark) ?? 0));
  latencies.sort((left, right) => left - right);
  const missing = [...sentMs.keys()].filter((mark) => !arrivedMs.has(mark)).map((mark) => `${mark} did not arrive`);
  const at = (share: number) => Math.round(latencies[Math.ceil(latencies.length * share) - 1] ?? 0);
  return { medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1), failures: [...failures, ...missing] };
}

function markOf(text: string): string {
  const { data } = JSON.parse(text);
  return String(data?.usernameLabel ?? data?.violationCheckResult?.clientMetadata?.mark);
}
