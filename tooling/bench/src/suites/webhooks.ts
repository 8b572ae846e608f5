import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningApi, startPostgres } from '@access-admin/harness';
import { type Figure, figure, type SuiteResult, spreadText } from '../measure/report.ts';
import { type Spread, spreadOf } from '../measure/rounds.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { openReceiver, type Receiver } from '../servers/open-receiver.ts';

const WEBHOOKS = 8;
const ROUNDS = 5;
/** A round of live events: one every 50 ms. */
const EVENTS = 100;
const EVENT_EVERY_MS = 50;
/** How often a round of replays delivers all events to each webhook. */
const REPLAYS = 4;
const GOAL_P95_MS = 1_000;
const GOAL_PER_SECOND = 1_000;

type Client = RunningApi['client'];

interface Measured {
  readonly engine: string;
  /** Of each round. */
  readonly p95Ms: readonly number[];
  readonly slowestMs: readonly number[];
  readonly perSecond: readonly number[];
}

/** Deliveries to webhooks on loopback: from an event to its receipt, and how many a second while there are always more. */
export async function run(): Promise<SuiteResult> {
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(server.unavailable);
  await using _server = server;
  const measured = [await measure('SQLite'), await measure('PostgreSQL', (await server.createDatabase()).url)];
  return {
    name: 'webhooks',
    tables: [
      {
        header: [`${WEBHOOKS} webhooks of one tenant, median of ${ROUNDS} rounds (range)`, ...engines(measured)],
        rows: [
          [`from an event to its receipt, 95 % within, ms`, ...texts(measured, ({ p95Ms }) => p95Ms)],
          ['the slowest, ms', ...texts(measured, ({ slowestMs }) => slowestMs)],
          ['deliveries a second of replays', ...texts(measured, ({ perSecond }) => perSecond)],
        ],
      },
    ],
    figures: measured.flatMap(figuresOf),
    raw: { webhooks: WEBHOOKS, events: EVENTS, everyMs: EVENT_EVERY_MS, replays: REPLAYS, measured },
  };
}

const engines = (measured: readonly Measured[]) => measured.map(({ engine }) => engine);
const texts = (measured: readonly Measured[], valuesOf: (one: Measured) => readonly number[]) =>
  measured.map((one) => spreadText(spreadOf(valuesOf(one))));

const figuresOf = ({ engine, p95Ms, perSecond }: Measured): readonly Figure[] => [
  { name: `from an event to its receipt, p95 ms, ${engine}`, spread: spreadOf(p95Ms), goal: GOAL_P95_MS, less: true },
  { name: `deliveries a second, ${engine}`, spread: spreadOf(perSecond), goal: GOAL_PER_SECOND },
];

async function measure(engine: string, databaseUrl?: string): Promise<Measured> {
  await using receiver = await openReceiver();
  await using service = openMeasuredService(databaseUrl === undefined ? {} : { databaseUrl });
  const env = { WEBHOOK_TARGETS: receiver.origin, SECRET_KEY: 'a-key-that-the-benchmark-gives-to-its-services' };
  const { client } = await service.startApi(env);
  service.startWorker(env);
  await createWebhooks(client, receiver);
  // A round to warm up; its events are delivered before the first that counts.
  await tellEvents(client, receiver);
  const live: Spread[] = [];
  const p95Ms: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const waits = await tellEvents(client, receiver);
    p95Ms.push(waits[Math.floor(waits.length * 0.95)] ?? Number.NaN);
    live.push(spreadOf(waits));
  }
  const perSecond: number[] = [];
  for (let round = 0; round < ROUNDS; round++) perSecond.push(await replayEvents(client, receiver));
  const slowestMs = live.map(({ max }) => max);
  process.stderr.write(`${engine}: p95 ${p95Ms.map(figure)} ms, ${perSecond.map(figure)} deliveries/s\n`);
  return { engine, p95Ms, slowestMs, perSecond };
}

async function createWebhooks(client: Client, { origin }: Receiver): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < WEBHOOKS; at++) {
    const webhook = { name: `receiver ${at}`, url: `${origin}/${at}`, types: ['ui-metadata.*'] };
    ids.push((await client.webhooks.create(webhook)).id);
  }
  return ids;
}

/** Milliseconds from each event to its receipt by each webhook, ascending. */
async function tellEvents(client: Client, receiver: Receiver): Promise<readonly number[]> {
  const before = receiver.count();
  const startMs = performance.now();
  for (let event = 0; event < EVENTS; event++) {
    await sleep(Math.max(0, startMs + event * EVENT_EVERY_MS - performance.now()));
    await client.uiMetadata.set({ usernameLabel: `${before} ${event}` });
  }
  await receiver.until(before + EVENTS * WEBHOOKS);
  return receiver.waitsMs.slice(before).toSorted((a, b) => a - b);
}

/** Deliveries a second while all webhooks have all events to deliver, again and again. */
async function replayEvents(client: Client, receiver: Receiver): Promise<number> {
  const events = (ROUNDS + 1) * EVENTS;
  // Each webhook may be replayed once a minute.
  const fresh: (readonly string[])[] = [];
  for (let replay = 0; replay < REPLAYS; replay++) fresh.push(await createWebhooks(client, receiver));
  const first = receiver.count();
  const startMs = performance.now();
  for (const ids of fresh) {
    const before = receiver.count();
    for (const id of ids) await client.webhooks.replay(id, '0');
    await receiver.until(before + events * WEBHOOKS);
  }
  const perSecond = ((receiver.count() - first) * 1_000) / (performance.now() - startMs);
  for (const id of fresh.flat()) await client.webhooks.delete(id);
  return perSecond;
}
