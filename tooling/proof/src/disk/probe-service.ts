import { setTimeout as delay } from 'node:timers/promises';
import { type AccessAdminClient, ConnectionError, createClient, UnavailableError } from '@access-admin/client';
import { summed } from '../campaign/campaign.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { capabilitiesOf, GRANT } from '../load/company.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { watchAnswers } from '../service/watch-answers.ts';

const PAUSE_MS = 25;
const READ_MS_MAX = 1_000;
const RESULT_WAIT_SECONDS = 20;
/** More writes would measure the queue instead of the service. */
const WRITES_OPEN_MAX = 30;

/** A fault and the operations that it prevents. */
export interface ProbedFault {
  readonly name: string;
  /** Whether no write can be stored while it lasts. */
  readonly stopsWrites: boolean;
  /** Whether reads that need a new connection, such as those of a changed rulebook, fail while it lasts. */
  readonly stopsConnections: boolean;
}

interface Probed {
  readonly client: AccessAdminClient;
  readonly baseAddress: string;
}
type Call = (api: Probed) => Promise<unknown>;

/** Each rejects unless the answer is a 200. */
const READS: Readonly<Record<string, Call>> = {
  liveness: async ({ baseAddress }) => expectTrue((await fetch(`${baseAddress}/healthz`)).ok),
  readiness: async ({ client }) => expectTrue(await client.health.ready()),
  user: ({ client }) => client.authUsers.get('i-ada'),
  prediction: ({ client }) => client.sodViolations.predict(GRANT),
  export: ({ client }) => Array.fromAsync(client.accessModel.export()),
};
/** Reads that may need a new connection. */
const CONNECTING = ['prediction', 'export'];
/** Each write changes something, because a write without a change needs no disk. */
const writesOf = (number: number): Readonly<Record<string, Call>> => ({
  check: ({ client }) => client.sodViolations.check(GRANT),
  patch: ({ client }) => client.authUsers.setCapabilities('i-ben', capabilitiesOf(number)),
  import: ({ client }) => client.accessModel.import([{ kind: 'entitlement', id: 'e-probe', name: `Probe ${number}` }]),
});

function expectTrue(isTrue: boolean): void {
  if (!isTrue) throw new Error('not answered with 200');
}

/** Null, or the error of the call. */
const errorOf = (call: Promise<unknown>): Promise<unknown> => call.then(() => null).catch((error: unknown) => error);

/** Calls every API of a service with failing storage, and collects wrong answers. */
export class Probes {
  readonly counts = {
    'writes refused': 0,
    'writes taken': 0,
    'reads during faults': 0,
    'exports cut': 0,
    'slowest healing ms': 0,
    'slowest result ms after it': 0,
  };
  readonly #wrong: string[] = [];
  readonly #answers = watchAnswers();
  readonly #apis: readonly Probed[];
  readonly #writing = new Set<Promise<void>>();
  #number = 0;
  #endMs = 0;

  constructor({ apis }: Fleet, token: string) {
    const options = { token, fetch: this.#answers.fetch, retries: 0 };
    this.#apis = apis.map(({ baseAddress }) => ({ baseAddress, client: createClient({ ...options, baseAddress }) }));
  }

  get broken(): readonly string[] {
    return [...summed('wrong answers', this.#wrong), ...summed('unexpected answers', this.#answers.unexpected)];
  }

  /** Reads from and writes to every API until the given time. */
  async during(fault: ProbedFault, endMs: number): Promise<void> {
    this.#endMs = endMs;
    for (; performance.now() < endMs; await delay(PAUSE_MS)) {
      const writes = Object.entries(this.#writing.size < WRITES_OPEN_MAX ? writesOf(++this.#number) : {});
      for (const api of this.#apis)
        for (const [name, call] of writes) {
          const writing = this.#write(fault, name, call(api)).finally(() => this.#writing.delete(writing));
          this.#writing.add(writing);
        }
      const reads = Object.entries(READS);
      await Promise.all(this.#apis.flatMap((api) => reads.map(([name, call]) => this.#read(fault, name, call(api)))));
    }
  }

  async #write(fault: ProbedFault, name: string, call: Promise<unknown>): Promise<void> {
    const isTaken = (await errorOf(call)) === null;
    this.counts[isTaken ? 'writes taken' : 'writes refused'] += 1;
    if (isTaken && fault.stopsWrites && performance.now() < this.#endMs)
      this.#wrong.push(`${fault.name}: a ${name} was accepted`);
  }

  async #read(fault: ProbedFault, name: string, call: Promise<unknown>): Promise<void> {
    const startMs = performance.now();
    const error = await errorOf(call);
    const tookMs = Math.round(performance.now() - startMs);
    this.counts['reads during faults'] += 1;
    // A long answer fails after it has begun: the connection is closed before its end.
    const isCut = name === 'export' && error instanceof ConnectionError;
    if (isCut) this.counts['exports cut'] += 1;
    const mayFail = fault.stopsConnections && CONNECTING.includes(name);
    if (error !== null && !(mayFail && (isCut || error instanceof UnavailableError)))
      this.#wrong.push(`${fault.name}: ${name}: ${error}`);
    if (tookMs > READ_MS_MAX) this.#wrong.push(`${fault.name}: ${name} took ${tookMs} ms`);
  }

  /** Writes until every API accepts writes again and has a result; resolves with how long the former took. */
  async heal(fault: ProbedFault, msMax: number): Promise<number> {
    const startMs = performance.now();
    const sinceMs = () => Math.round(performance.now() - startMs);
    const heal = async ({ client: { sodViolations } }: Probed) => {
      let requestId = '';
      const isAccepted = async () => {
        const checking = sodViolations.check(GRANT);
        requestId = await checking.then((accepted) => accepted.requestId).catch(() => '');
        return requestId !== '';
      };
      const isHealed = await waitUntil(isAccepted, { msMax, everyMs: PAUSE_MS });
      const tookMs = sinceMs();
      if (!isHealed) this.#wrong.push(`${fault.name}: no check was accepted for ${tookMs} ms after it`);
      else await errorOf(sodViolations.getCheck(requestId, { waitSeconds: RESULT_WAIT_SECONDS }));
      return tookMs;
    };
    const tookMs = Math.max(...(await Promise.all(this.#apis.map(heal))));
    await Promise.all(this.#writing);
    const { counts } = this;
    counts['slowest healing ms'] = Math.max(counts['slowest healing ms'], tookMs);
    counts['slowest result ms after it'] = Math.max(counts['slowest result ms after it'], sinceMs());
    return tookMs;
  }
}
