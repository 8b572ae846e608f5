import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccessModelInput } from '@access-admin/client';
import { ROOT } from '@access-admin/harness';
import { type OpenConsole, openConsole } from './open-console.ts';

const SAMPLE = join(ROOT, 'tooling/sample');
const LOOK_EVERY_MS = 100;

/** The administrator of the sample. */
export const SAMPLE_ADMINISTRATOR: string = JSON.parse(readFileSync(join(SAMPLE, 'people.json'), 'utf8')).administrator;

/** A console on the sample, whose violations are registered. */
export async function openSample(): Promise<OpenConsole> {
  const console = await openConsole();
  console.service.startWorker();
  const lines = readFileSync(join(SAMPLE, 'sample.ndjson'), 'utf8').trim().split('\n');
  await console.client.accessModel.import(lines.map((line): AccessModelInput => JSON.parse(line)));
  while ((await console.client.violations.summary()).open === 0) await sleep(LOOK_EVERY_MS);
  return console;
}
