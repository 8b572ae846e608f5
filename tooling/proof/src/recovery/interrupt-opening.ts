import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@access-admin/harness';
import type { Random } from '../campaign/random.ts';
import { buildShim } from '../disk/build-shim.ts';
import { readWriteLog } from '../disk/write-log.ts';

const OPENER = fileURLToPath(new URL('open-store.ts', import.meta.url));
const OPENING_MS_MAX = 60;

/** Processes that open a database and close it again. */
export interface Openings {
  /** Kills one while it opens the file. Resolves with whether it had opened it before. */
  kill(path: string, random: Random): Promise<boolean>;
  /** Several at once. Resolves with how they failed. */
  together(path: string, count: number): Promise<readonly string[]>;
}

/** Kills a process at a random change of its files or, without a C compiler, at a random time. */
export async function createOpenings(folder: string, example: string): Promise<Openings> {
  const start = (path: string, env: Readonly<Record<string, string>> = {}) =>
    startProcess([process.execPath, '--conditions=@access-admin/source', OPENER, path], {
      env,
      cwd: folder,
    });
  const shim = buildShim(folder);
  const changes = 'unavailable' in shim ? 0 : await countChanges(start, example, { env: shim.env, folder });

  const killAtChange = async (path: string, random: Random, shimEnv: Readonly<Record<string, string>>) => {
    const env = { ...shimEnv, STORAGE_DIRECTORY: dirname(path), STORAGE_DEATH: String(1 + random(changes)) };
    await using opening = start(path, env);
    await opening.ended;
    return opening.output().includes('open\n');
  };
  const killAtMoment = async (path: string, random: Random) => {
    await using opening = start(path);
    let hasEnded = false;
    void opening.ended.then(() => {
      hasEnded = true;
    });
    while (!opening.output().includes('opening') && !hasEnded) await delay(1);
    await delay(random(OPENING_MS_MAX));
    await opening.stop('SIGKILL');
    return opening.output().includes('open\n');
  };

  return {
    kill: (path, random) => ('unavailable' in shim ? killAtMoment(path, random) : killAtChange(path, random, shim.env)),
    together: async (path, count) => {
      const opening = Array.from({ length: count }, () => start(path));
      const endings = await Promise.all(opening.map(({ ended }) => ended));
      return endings.flatMap(({ code, signal }, at) =>
        code === 0 ? [] : [`an opening ended (${signal ?? code}): ${opening[at]?.output().slice(0, 400)}`],
      );
    },
  };
}

/** How many changes of the files an opening makes. */
async function countChanges(
  start: (path: string, env: Readonly<Record<string, string>>) => ReturnType<typeof startProcess>,
  example: string,
  { env, folder }: { readonly env: Readonly<Record<string, string>>; readonly folder: string },
): Promise<number> {
  const directory = join(folder, 'counted');
  const log = join(folder, 'counted.log');
  for (const made of [directory, log]) rmSync(made, { recursive: true, force: true });
  mkdirSync(directory);
  const path = join(directory, 'counted.db');
  copyFileSync(example, path);
  await using opening = start(path, { ...env, STORAGE_DIRECTORY: directory, STORAGE_LOG: log });
  const { code } = await opening.ended;
  if (code !== 0) throw new Error(`an opening failed: ${opening.output()}`);
  return readWriteLog(log).filter(({ kind }) => kind !== 'unlink').length;
}
