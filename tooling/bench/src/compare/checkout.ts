import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A built checkout of this repository. */
export interface Checkout {
  readonly name: 'before' | 'after';
  readonly folder: string;
}

/** Modules of the benchmarks that are run from both checkouts: the path below `src`, and the path that it had before. */
const MODULES = {
  world: ['world/create-world.ts', 'world.ts'],
  engine: ['predict-engines/own-engine.ts'],
  edits: ['predict-engines/measure-edits.ts', 'measure-edits.ts'],
  queue: ['queues/open-own-queue.ts', 'queue/open-own-queue.ts'],
  population: ['world/seed-population.ts', 'population/seed-population.ts'],
  evaluation: ['reports/population-evaluation.ts', 'reports/population-judge.ts'],
} as const;

/** Loads a module of a checkout's own benchmarks; it imports the packages of that checkout. */
export async function loadModule<Module>(folder: string, name: keyof typeof MODULES): Promise<Module> {
  const paths = MODULES[name].map((path) => join(folder, 'tooling/bench/src', path));
  const path = paths.find(existsSync);
  if (path === undefined) throw new Error(`${folder} has none of ${MODULES[name].join(', ')}`);
  return (await import(path)) as Module;
}
