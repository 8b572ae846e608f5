import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { EXIT, type ExitCode, type Output } from '@access-admin/cli';
import { ApiError, ForbiddenError, TokenError } from '@access-admin/client';
import { createMetricsRelay } from '@access-admin/telemetry';
import type { Program } from '../processes/run.ts';
import { createGroup, type Group, type Member } from '../processes/supervise.ts';
import { type Addresses, isTaken, readAddresses } from './addresses.ts';
import { describeStart } from './describe.ts';
import { type KnownClient, readKnownClients } from './kept-clients.ts';
import { connectLocally } from './local-client.ts';
import { isEmpty, loadSample, predictOnSample, readSample, type Service, signInLinkOfSample } from './sample.ts';

/** What a start needs of the process. */
export interface ServeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly folder: string;
  /** The folder of the built programs and of the sample. */
  readonly programs: string;
  /** How many API processes listen at the port. */
  readonly apis: number;
  readonly workers: number;
  /** Whether an empty store gets the sample. */
  readonly hasSample: boolean;
  readonly output: Output;
  /** Ends the service. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
}

const READY_MS = 60_000;
const POLL_MS = 100;
const PORT_MAX = 65_535;
const API_OPTIONS = [
  // The garbage of requests is collected a quarter as often: saves 5 to 10 % of the CPU, and costs 100 MB under load.
  '--max-semi-space-size=64',
  // Otherwise V8 takes what requests make for long-lived, because what the start made by the same code is: saves 10 to 20 %.
  '--no-allocation-site-pretenuring',
];
// Otherwise four more threads of the worker collect garbage and delay requests on the same processors.
const SINGLE_THREADED_GC = '--single-threaded-gc';

/** Starts API and worker, with the sample in an empty store, and keeps them running until they are stopped. Resolves with the exit code. */
export function serve(options: ServeOptions): Promise<ExitCode> {
  const { programs, output, signal, elapsed } = options;
  const preload = pathToFileURL(join(programs, 'end-with-parent.js')).href;
  const group = createGroup({ signal, preload, note: output.note, elapsed });
  // Not awaited: once the group is stopped, what the start still asks of its processes has no answer.
  void bringUp(group, options).catch((error: unknown) => {
    if (!group.stop.aborted) output.note(`access-admin: ${error instanceof Error ? error.message : error}`);
    group.fail(EXIT.failed);
  });
  return group.ended;
}

async function bringUp(group: Group, options: ServeOptions) {
  const { env, folder, programs, hasSample, output, now, elapsed } = options;
  const addressesOf = (tenant: string | null) => readAddresses(env, tenant || env['TENANT'] || 'default');
  const addresses = addressesOf(null);
  if (await isTaken(addresses))
    throw new Error(`${addresses.host}:${addresses.port} is in use; choose another port with PORT`);
  const metricsPort = metricsPortOfWorker(env, addresses);
  if (metricsPort !== null && (await isTaken({ ...addresses, port: metricsPort })))
    throw new Error(
      `${addresses.host}:${metricsPort}, where the worker would have its metrics, next to METRICS_PORT, is in use; choose another METRICS_PORT`,
    );
  let hasStarted = false;
  const [first, ...others] = membersOf({
    kind: 'api',
    title: 'API',
    count: options.apis,
    program: { nodeOptions: API_OPTIONS, module: join(programs, 'api/dist/main.js'), env },
    // An API that ends before it is ready has said why; a later one would say the same.
    isRestartable: () => hasStarted,
  });
  // The first one alone migrates the store and makes the client and the keys.
  if (first !== undefined) group.start(first);
  if (!(await becomesReady(addresses, group.stop, elapsed))) return;
  const known = await findKnownClient(readKnownClients(env, folder), addressesOf);
  const sample = readSample(join(programs, 'sample'));
  const wasEmpty = known !== null && (await isEmpty(known));
  if (wasEmpty && hasSample) await output.show(`${await loadSample(known, sample, now)}\n`);
  hasStarted = true;
  const envOfWorker = metricsPort === null ? env : { ...env, METRICS_PORT: String(metricsPort) };
  const workers = membersOf({
    kind: 'worker',
    title: 'worker',
    count: options.workers,
    program: { nodeOptions: [SINGLE_THREADED_GC], module: join(programs, 'worker/dist/main.js'), env: envOfWorker },
    isRestartable: () => true,
  });
  for (const member of [...others, ...workers]) group.start(member);
  const prediction = known === null ? null : await predictOnSample(known, sample);
  const isOfSample = prediction !== null && prediction.violationContexts.length > 0;
  const signInLink = known !== null && hasSample && isOfSample ? await signInLinkOfSample(known, sample) : null;
  if (group.stop.aborted) return;
  const text = describeStart({
    ...(known ?? { addresses, credentials: null }),
    tenant: known?.credentials.tenant || env['TENANT'] || 'default',
    sample,
    folder,
    prediction,
    isEmpty: wasEmpty && !hasSample,
    signInLink,
    hasConsole: env['CONSOLE'] !== 'off',
  });
  await output.show(`${text}\n`);
}

interface Members extends Pick<Member, 'title' | 'isRestartable'> {
  readonly kind: 'api' | 'worker';
  readonly count: number;
  readonly program: Omit<Program, 'sharesPorts'>;
}

/** So many processes of one kind. Several have names, listen at the same ports, and answer a scrape for each other. */
function membersOf({ kind, title, count, program, isRestartable }: Members): readonly Member[] {
  if (count === 1)
    return [{ title: `the ${title}`, program: { ...program, sharesPorts: false }, onStart: () => {}, isRestartable }];
  const onStart = createMetricsRelay();
  return Array.from({ length: count }, (_, at) => {
    const env = { ...program.env, PROCESS_NAME: `${kind}-${at + 1}` };
    return { title: `${title} ${at + 1}`, program: { ...program, env, sharesPorts: true }, onStart, isRestartable };
  });
}

/** The API and the worker are on one machine, so the worker has the next port for its metrics; below, where there is none. */
export function metricsPortOfWorker(env: ServeOptions['env'], { port }: Pick<Addresses, 'port'>): number | null {
  const given = Number(env['METRICS_PORT'] || Number.NaN);
  const nearest = [given + 1, given + 2, given - 1, given - 2];
  return nearest.find((each) => each <= PORT_MAX && each !== port) ?? null;
}

async function becomesReady(addresses: Addresses, stop: AbortSignal, elapsed: () => number): Promise<boolean> {
  const { health } = connectLocally(addresses, null);
  const beganMs = elapsed();
  while (!stop.aborted) {
    if (elapsed() - beganMs > READY_MS) throw new Error(`the API is not ready after ${READY_MS / 1000} s`);
    if (await health.ready()) return !stop.aborted;
    await delay(POLL_MS);
  }
  return false;
}

/** A service with the client that its store knows, and the credentials of this client. */
interface KnownService extends Service {
  readonly credentials: KnownClient;
}

/** The service with the first client that its store knows; null when it knows none. */
export async function findKnownClient(
  clients: readonly KnownClient[],
  addressesOf: (tenant: string | null) => Addresses,
  options: { readonly retries?: number } = {},
): Promise<KnownService | null> {
  for (const credentials of clients) {
    const addresses = addressesOf(credentials.tenant);
    const client = connectLocally(addresses, credentials, options);
    // The store knows the client where there is a token.
    const isKnown = await client.uiMetadata.get().then(
      () => true,
      (error: unknown) => {
        if (error instanceof TokenError && error.cause instanceof ApiError && UNKNOWN.includes(error.cause.status))
          return false;
        if (error instanceof ForbiddenError) return true;
        throw error;
      },
    );
    if (isKnown) return { addresses, client, credentials };
  }
  return null;
}

/** Answers of the token endpoint to a client that the store does not know, or whose secret is another. */
const UNKNOWN = [400, 401];
