import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type * as Client from '@access-admin/client';
import { openFolder } from '@access-admin/harness';
import { openConnections } from '../load/http-connection.ts';
import { catalogueRecords, peopleRecords } from '../look-ups/people.ts';
import { measureWork, spreadOf } from '../measure/rounds.ts';
import type * as Edits from '../predict-engines/measure-edits.ts';
import type * as Engine from '../predict-engines/own-engine.ts';
import type * as Queue from '../queues/open-own-queue.ts';
import { JOBS, playRound } from '../queues/play-round.ts';
import type * as Evaluation from '../reports/population-evaluation.ts';
import { startBareServer } from '../servers/start-bare-server.ts';
import { ACCESS, ANSWER, bundleClient, cpuMicrosOfCalls } from '../suites/sdk.ts';
import type * as World from '../world/create-world.ts';
import type * as Population from '../world/seed-population.ts';
import { loadModule } from './checkout.ts';

/** Results of one round by figure. A name that ends in `/s` stands for a rate, any other for a cost. */
export type Values = Readonly<Record<string, number>>;

/** A measurement of one checkout, made in a process of its own. */
export interface Subject {
  round(): Promise<Values>;
  close?(): PromiseLike<void>;
}

export type OpenSubject = (folder: string, argument: string) => Promise<Subject>;

const SEED = 20_261_121;
const QUESTIONS = 4096;
const ROUND_MS = 300;
const POLICIES = [100, 1_000, 10_000, 100_000];

/** By name; the argument of `queue` is the address of an empty database, that of `import` and `people` a number of identities. */
export const SUBJECTS = {
  predict: openPredict,
  edits: openEdits,
  queue: openQueue,
  evaluation: openEvaluation,
  import: openImport,
  people: openPeople,
  client: openClient,
} satisfies Record<string, OpenSubject>;

/** CPU time of this process during the work: other processes of the machine affect it less than elapsed time. */
async function cpuMicrosOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function openPredict(folder: string): Promise<Subject> {
  const { createWorld } = await loadModule<typeof World>(folder, 'world');
  const { createOwnEngine } = await loadModule<typeof Engine>(folder, 'engine');
  const engines = POLICIES.map((policies) => {
    const size = { seed: SEED, entitlements: 50_000, policies, identities: 2_000, questions: QUESTIONS };
    const { answer } = createOwnEngine(createWorld(size));
    return { figure: `evaluator, ${policies.toLocaleString('en-US')} policies, CPU µs`, answer };
  });
  return {
    round: async () => {
      const values: Record<string, number> = {};
      for (const { figure, answer } of engines) {
        const work = (turn: number) => answer(turn % QUESTIONS);
        let calls = 0;
        const micros = await cpuMicrosOf(async () => {
          ({ calls } = await measureWork(work, { first: 0, roundMs: ROUND_MS }));
        });
        values[figure] = micros / calls;
      }
      return values;
    },
  };
}

async function openEdits(folder: string): Promise<Subject> {
  const { measureEdits } = await loadModule<typeof Edits>(folder, 'edits');
  return {
    round: async () => {
      const measured = await measureEdits(SEED);
      return Object.fromEntries(
        measured.flatMap(({ policies, editMicros, lateEditMicros, rebuildMicros }) => [
          [`policy edit, ${policies} policies, µs`, spreadOf(editMicros).median],
          [`policy edit upon others, ${policies} policies, µs`, spreadOf(lateEditMicros).median],
          [`compile, ${policies} policies, µs`, spreadOf(rebuildMicros).median],
        ]),
      );
    },
  };
}

async function openQueue(folder: string, databaseUrl: string): Promise<Subject> {
  const { openOwnQueue } = await loadModule<typeof Queue>(folder, 'queue');
  const engine = databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL';
  const queue = await openOwnQueue(engine, databaseUrl);
  return {
    round: async () => {
      const { enqueueMs, drainMs } = await playRound(queue);
      return {
        [`durable checks, ${engine}, jobs/s`]: (JOBS * 1000) / (enqueueMs + drainMs),
        [`durable checks, ${engine}, enqueue, ms`]: enqueueMs,
        [`durable checks, ${engine}, drain, ms`]: drainMs,
      };
    },
    close: () => queue[Symbol.asyncDispose](),
  };
}

async function openEvaluation(folder: string): Promise<Subject> {
  const { createWorld } = await loadModule<typeof World>(folder, 'world');
  const module = await loadModule<
    Partial<typeof Evaluation> & { createPopulationJudge?: typeof Evaluation.createPopulationEvaluation }
  >(folder, 'evaluation');
  const create = module.createPopulationEvaluation ?? module.createPopulationJudge;
  const world = createWorld({ seed: SEED, entitlements: 50_000, policies: 10_000, identities: 500, questions: 1 });
  const population = create?.(world, { seed: SEED, shards: 2, assignments: 50 });
  if (population === undefined) throw new Error(`${folder} cannot evaluate a population`);
  return {
    round: async () => ({
      'report: evaluate all policies, CPU ms': (await cpuMicrosOf(population.scanMicros)) / 1000,
      'report: evaluate 2,000 changed policies, CPU ms':
        (await cpuMicrosOf(() => repeat(20, population.rescanMicros))) / 1000,
    }),
  };
}

function repeat(times: number, work: () => unknown): void {
  for (let time = 0; time < times; time++) work();
}

async function openImport(folder: string, identities: string): Promise<Subject> {
  const { createPopulation, seedStore } = await loadModule<typeof Population>(folder, 'population');
  const size = { seed: SEED, identities: Number(identities), assignments: 50, policies: 10_000 };
  return {
    round: async () => {
      using temporary = openFolder('bench');
      const url = `sqlite:${join(temporary.path, 'access-admin.db')}`;
      const seconds = await seedStore(url, createPopulation(size).records);
      return { [`import of ${size.identities.toLocaleString('en-US')} identities, s`]: seconds };
    },
  };
}

/** Imports of identities whose texts and assignments can be searched. */
async function openPeople(folder: string, identities: string): Promise<Subject> {
  const { seedStore } = await loadModule<typeof Population>(folder, 'population');
  const count = Number(identities);
  return {
    round: async () => {
      using temporary = openFolder('bench');
      const url = `sqlite:${join(temporary.path, 'access-admin.db')}`;
      await seedStore(url, catalogueRecords());
      const cpuMs = async (version: number) =>
        (await cpuMicrosOf(() => seedStore(url, peopleRecords(count, version)))) / 1000;
      return {
        [`import of ${identities} new identities, CPU ms`]: await cpuMs(0),
        'import of other names and assignments of them, CPU ms': await cpuMs(1),
        'the same import again, CPU ms': await cpuMs(1),
      };
    },
  };
}

async function openClient(folder: string): Promise<Subject> {
  const clientFolder = join(folder, 'packages/client/');
  const { createClient } = (await import(join(clientFolder, 'dist/index.js'))) as typeof Client;
  const { code } = await bundleClient(clientFolder);
  const { port, running } = await startBareServer(ANSWER);
  // Resolves once the server listens.
  for (const connection of await openConnections(port, 1)) connection.close();
  const client = createClient({ baseAddress: `http://127.0.0.1:${port}`, token: 'token' });
  return {
    round: async () => ({
      'client, call, CPU µs': await cpuMicrosOfCalls(() => client.sodViolations.predict(ACCESS)),
      'client, minified and gzipped, KiB': gzipSync(code).length / 1024,
    }),
    close: async () => void (await running.stop()),
  };
}
