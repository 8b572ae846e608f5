import { setTimeout as delay } from 'node:timers/promises';
import { runClosedLoop } from '../load/closed-loop.ts';
import { withConnections } from '../load/http-connection.ts';
import { processMicrosDuring, whileStopped } from '../measure/task-usage.ts';
import { importOneIdentity } from '../queues/accepted-to-result.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { requestToken } from '../servers/request-token.ts';
import type { Checkout } from './checkout.ts';
import { type Compared, collectRounds } from './ratios.ts';
import type { Values } from './subjects.ts';

const CHECKS = 4_000;
const CONNECTIONS = 64;
const POLL_MS = 10;
const BODY = JSON.stringify({ identityId: 'i', accessRefs: [{ type: 'ENTITLEMENT', id: 'e' }] });

interface Options {
  readonly rounds: number;
  /** By default SQLite. */
  readonly databaseUrlOf?: (checkout: Checkout) => Promise<string>;
}

/** CPU time of accepting checks of one tenant over HTTP while no worker runs, and then of completing them. */
export async function compareChecks(checkouts: readonly Checkout[], options: Options): Promise<readonly Compared[]> {
  await using started = new AsyncDisposableStack();
  const opened: (() => Promise<Values>)[] = [];
  for (const checkout of checkouts) opened.push(await openChecks(checkout, started, options));
  return await collectRounds(opened, (play) => play(), options.rounds);
}

async function openChecks(
  checkout: Checkout,
  started: AsyncDisposableStack,
  { databaseUrlOf }: Pick<Options, 'databaseUrlOf'>,
): Promise<() => Promise<Values>> {
  const databaseUrl = await databaseUrlOf?.(checkout);
  const where = databaseUrl === undefined ? {} : { databaseUrl };
  const service = started.use(openMeasuredService({ checkout: checkout.folder, ...where }));
  const api = await service.startApi();
  const worker = service.startWorker();
  await importOneIdentity(api.client);
  const port = Number(new URL(api.baseAddress).port);
  const pending = async (): Promise<number> => {
    const metrics = await (await fetch(`${api.baseAddress}/metrics`)).text();
    return Number(/^access_admin_pending_checks (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
  };
  const accept = async () => {
    const token = await requestToken({ service, api });
    const request = requestOf(port, token);
    return await withConnections(port, CONNECTIONS, (connections) =>
      runClosedLoop(connections, () => request, { requests: CHECKS }),
    );
  };
  const complete = async () => {
    while ((await pending()) > 0) await delay(POLL_MS);
  };
  return async () => {
    const acceptMicros = await whileStopped(worker.pid, () => processMicrosDuring(api.pid, accept));
    const accepted = await pending();
    const startMs = performance.now();
    const completeMicros = await processMicrosDuring(worker.pid, complete);
    const elapsedMs = performance.now() - startMs;
    return {
      'check, accepted over HTTP, CPU µs of the API': acceptMicros / CHECKS,
      'check, completed, CPU µs of the worker': completeMicros / accepted,
      'checks, completed/s': (accepted * 1000) / elapsedMs,
    };
  };
}

function requestOf(port: number, token: string): Buffer {
  const headers = [
    'POST /sod-violations/v1/check HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(BODY)}`,
  ];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${BODY}`);
}
