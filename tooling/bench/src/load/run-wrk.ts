import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LoadRound } from './closed-loop.ts';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** Whether wrk, a load generator written in C, is on the PATH. */
export const hasWrk = (): boolean => spawnSync('wrk', ['-v']).error === undefined;

let folder: string | null = null;
let files = 0;

/** Writes the requests to a file that `runWrk` reads; removed when this process ends. */
export function writeRequests(requests: readonly Buffer[]): string {
  folder ??= openFolder();
  const path = join(folder, String(files++));
  writeFileSync(path, Buffer.concat(requests.flatMap((request) => [Buffer.from(`${request.length}\n`), request])));
  return path;
}

function openFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'access-admin-bench-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
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
