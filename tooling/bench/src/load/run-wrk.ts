import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openFolder, type TemporaryFolder } from '@access-admin/harness';
import type { LoadRound } from './closed-loop.ts';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** Whether wrk, a load generator written in C, is on the PATH. */
export const hasWrk = (): boolean => spawnSync('wrk', ['-v']).error === undefined;

let folder: TemporaryFolder | null = null;
let files = 0;

/** Writes the requests to a file that `runWrk` reads; removed when this process ends. */
export function writeRequests(requests: readonly Buffer[]): string {
  if (folder === null) {
    const opened = openFolder('bench');
    process.once('exit', () => opened[Symbol.dispose]());
    folder = opened;
  }
  const path = join(folder.path, String(files++));
  writeFileSync(path, Buffer.concat(requests.flatMap((request) => [Buffer.from(`${request.length}\n`), request])));
  return path;
}

/** Runs `wrk -t1 -c64` for whole seconds; throws when an answer is an error. */
export async function runWrk(port: number, path: string, seconds: number): Promise<LoadRound> {
  const argv = ['-t1', '-c64', `-d${seconds}s`, '-s', SCRIPT, `http://127.0.0.1:${port}`, '--', path];
  const { stdout } = await promisify(execFile)('wrk', argv);
  const { answers, micros, failed } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  if (failed > 0 || answers === 0) throw new Error(`wrk: ${failed} of ${answers} requests failed`);
  return { answers, seconds: micros / 1e6 };
}
