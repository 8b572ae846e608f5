import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startNode } from '@access-admin/harness';
import type { Random } from '../campaign/random.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { buildShim } from '../disk/build-shim.ts';
import { readWriteLog } from '../disk/write-log.ts';

const OPENER = fileURLToPath(new URL('open-store.ts', import.meta.url));
const STARTED_MS_MAX = 10_000;
const OPENING_MS_MAX = 60;

/** Processes that open a database, which migrates it, and close it again. */
export interface Openings {
  /** Kills one while it opens the file. Resolves with whether it had opened it before. */
  kill(path: string, random: Random): Promise<boolean>;
  /** Several at once. Resolves with how they failed. */
  together(path: string, count: number): Promise<readonly string[]>;
}

/**
 * Migrates an example, in a directory of its own, without interruption. Later processes are killed at a random change of
 * their files or, without a C compiler, at a random time.
 */
export async function createOpenings(folder: string, example: string): Promise<Openings> {
  const shim = buildShim(folder);
  const start = (path: string, faults: Readonly<Record<string, string>> | null) => {
    const shimEnv = 'unavailable' in shim || faults === null ? {} : { ...shim.env, STORAGE_DIRECTORY: dirname(path) };
    return startNode(OPENER, [path], { env: { ...shimEnv, ...faults }, cwd: folder });
  };
  const log = join(folder, 'example.log');
  await using first = start(example, { STORAGE_LOG: log });
  const { code } = await first.ended;
  if (code !== 0) throw new Error(`an opening failed: ${first.output()}`);
  const changes = 'unavailable' in shim ? null : readWriteLog(log).filter(({ kind }) => kind !== 'unlink').length;

  return {
    async kill(path, random) {
      await using opening = start(path, changes === null ? null : { STORAGE_DEATH: String(1 + random(changes)) });
      if (changes === null) {
        await waitUntil(() => opening.output().includes('opening'), { msMax: STARTED_MS_MAX, everyMs: 1 });
        await delay(random(OPENING_MS_MAX));
        await opening.stop('SIGKILL');
      }
      await opening.ended;
      return opening.output().includes('open\n');
    },
    async together(path, count) {
      const openings = Array.from({ length: count }, () => start(path, null));
      const endings = await Promise.all(openings.map(async (opening) => ({ opening, ...(await opening.ended) })));
      return endings
        .filter((ending) => ending.code !== 0)
        .map(({ opening, code, signal }) => `an opening ended (${signal ?? code}): ${opening.output().slice(0, 400)}`);
    },
  };
}
