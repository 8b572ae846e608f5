import { getHeapStatistics } from 'node:v8';
import { NodeAway, OutcomeUnknown, StorageFull, type StorageUnavailable, type Store } from '@access-admin/store';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import type { Stdout } from '../lines/stdout.ts';
import { type Exposition, expose, type MetricSamples, writeMetrics } from './exposition.ts';

/** What is measured in the store at each scrape. */
export interface MeasuredStore extends Pick<Store, 'measureStorage'> {
  readonly checks: Pick<Store['checks'], 'measureBacklog'>;
  readonly reports: Pick<Store['reports'], 'measureBacklog'>;
  readonly register: Pick<Store['register'], 'measureBacklog' | 'countCorrected'>;
  readonly webhooks: Pick<Store['webhooks'], 'measureBacklog'>;
}

/** The metrics of a process. */
export interface ProcessMetrics {
  /** Where further metrics register. */
  readonly registry: Registry;
  /** Counts a write or read that the storage has refused. */
  countStorageFailure(error: StorageUnavailable): void;
  /** In the Prometheus exposition format. */
  render(): Promise<Exposition>;
  /** The metrics with their present values, for a sender that has a format of its own. */
  read(): Promise<readonly MetricSamples[]>;
}

export interface ProcessMetricsDeps {
  readonly store: MeasuredStore;
  readonly stdout: Pick<Stdout, 'lostCount'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Opens the metrics that API and worker have: of the runtime, of the queues and of the storage. What is in the store is read
 * at each scrape; while it cannot be read, `access_admin_storage_up` is 0 and its metrics keep their last values.
 */
export function createProcessMetrics({ store, stdout, now }: ProcessMetricsDeps): ProcessMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // The exact version tells an attacker which faults the runtime has.
  registry.removeSingleMetric('nodejs_version_info');
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name: `access_admin_${name}`, help, registers });
  new Gauge({
    name: 'access_admin_build_info',
    help: '1, with the version of the program.',
    labelNames: ['version'],
    registers,
  }).set({ version: manifest.version }, 1);
  const heapLimit = gauge('heap_limit_bytes', 'The most bytes that the heap may take.');
  const isUp = gauge('storage_up', 'Whether the storage could be read at this scrape.');
  const isNodeAway = gauge(
    'storage_node_away',
    'Whether a node of a distributed database took no connection, or gave no answer, at this scrape.',
  );
  const databaseBytes = gauge('database_size_bytes', 'The size of the database, with its write-ahead log.');
  const diskFree = gauge('disk_free_bytes', 'The room on the disk of the database; of SQLite only.');
  const diskSize = gauge('disk_size_bytes', 'The size of the disk of the database; of SQLite only.');
  const corrections = gauge(
    'register_corrections',
    'Violations that the last full comparison of each register had to correct, over all tenants.',
  );
  // A new gauge is 0, which none of these is until it is measured.
  for (const measured of [corrections, databaseBytes, diskFree, diskSize]) measured.remove();
  const depth = new Gauge({
    name: 'access_admin_queue_depth',
    help: 'What waits or is under way, over all tenants: checks, reports, registers that are behind, and events for webhooks.',
    labelNames: ['queue'],
    registers,
  });
  const oldest = new Gauge({
    name: 'access_admin_queue_oldest_age_seconds',
    help: 'Since when the oldest of a queue has waited; 0 for an empty queue.',
    labelNames: ['queue'],
    registers,
  });
  const failures = new Counter({
    name: 'access_admin_storage_failures_total',
    help: 'Reads and writes that the storage refused: full, unavailable, or with an unknown outcome.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['full', 'unavailable', 'outcome_unknown']) failures.inc({ reason }, 0);
  new Counter({
    name: 'access_admin_log_lines_lost_total',
    help: 'Lines that are missing on standard output because its reader was too slow: of the log, and decisions where they go there.',
    registers,
    collect() {
      this.reset();
      this.inc(stdout.lostCount());
    },
  });

  const measureStore = async () => {
    const storage = await store.measureStorage();
    databaseBytes.set(storage.databaseBytes);
    if (storage.disk !== null) {
      diskFree.set(storage.disk.freeBytes);
      diskSize.set(storage.disk.sizeBytes);
    }
    const { checks, reports, register, webhooks } = store;
    const nowMs = now();
    const queues = {
      checks: await checks.measureBacklog(),
      reports: await reports.measureBacklog(),
      register: await register.measureBacklog(nowMs),
      webhooks: await webhooks.measureBacklog(),
    };
    for (const [queue, backlog] of Object.entries(queues)) {
      depth.set({ queue }, backlog.depth);
      const waitedMs = backlog.oldest === null ? 0 : nowMs - Date.parse(backlog.oldest);
      oldest.set({ queue }, Math.max(0, waitedMs) / 1000);
    }
    corrections.set(await register.countCorrected());
  };
  const measure = async () => {
    heapLimit.set(getHeapStatistics().heap_size_limit);
    const failure = await measureStore().then(
      () => null,
      (error: unknown) => error,
    );
    isUp.set(failure === null ? 1 : 0);
    isNodeAway.set(failure instanceof NodeAway ? 1 : 0);
  };
  const read = async () => {
    await measure();
    return toSamples(await registry.getMetricsAsJSON());
  };
  return {
    registry,
    countStorageFailure: (error) => failures.inc({ reason: reasonOf(error) }),
    render: async () => expose([writeMetrics(await read())]),
    read,
  };
}

function reasonOf(error: StorageUnavailable): string {
  if (error instanceof OutcomeUnknown) return 'outcome_unknown';
  return error instanceof StorageFull ? 'full' : 'unavailable';
}

/** The type of a metric is a text, not the number that the types of prom-client say. */
const toSamples = (metrics: Awaited<ReturnType<Registry['getMetricsAsJSON']>>): readonly MetricSamples[] =>
  // biome-ignore lint/plugin/type-assertion: prom-client states another type than it gives.
  metrics as unknown as readonly MetricSamples[];
