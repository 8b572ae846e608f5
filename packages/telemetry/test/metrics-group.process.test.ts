import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import { createMetricsRelay } from '../src/metrics/group.ts';

/** A member of a group with one metric. It prints what a scrape of it gets whenever it is told to. */
const MEMBER = `
import { scrapeGroup } from '@access-admin/telemetry';
const read = async () => [{ name: 'up', help: 'Up.', type: 'gauge', values: [{ labels: {}, value: 1 }] }];
const render = async () => ({ contentType: '', text: 'alone' });
const scraped = scrapeGroup({ read, render }, process.env.PROCESS_NAME || null, process);
process.on('message', async (message) => message === 'scrape' && process.send({ text: (await scraped.render()).text }));
process.on('disconnect', async () => console.log((await scraped.render()).text));
`;
/** One that never answers, as one whose event loop is blocked. */
const SILENT = 'process.on("message", () => {});';

function start(script: string, name = ''): ChildProcess {
  const args = ['--conditions=@access-admin/source', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, {
    cwd: join(ROOT, 'packages/telemetry'),
    env: { PATH: process.env['PATH'], PROCESS_NAME: name },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function scrape(child: ChildProcess): Promise<readonly string[]> {
  const answered = new Promise<string>((resolve) => {
    child.on('message', (message) => {
      const { text } = Object(message);
      if (typeof text === 'string') resolve(text);
    });
  });
  child.send('scrape');
  return (await answered).split('\n').filter((line) => line.startsWith('up'));
}

test('each process of a group answers a scrape for all that run, and waits for none that is silent', async () => {
  const add = createMetricsRelay();
  const one = start(MEMBER, 'api-1');
  const two = start(MEMBER, 'api-2');
  for (const child of [one, two]) add(child);
  const both = ['up{process="api-1"} 1', 'up{process="api-2"} 1'];
  expect(await scrape(one)).toEqual(both);
  expect(await scrape(two)).toEqual(both);
  const silent = start(SILENT, 'api-3');
  add(silent);
  expect(await scrape(one)).toEqual(both);
  two.kill('SIGKILL');
  silent.kill('SIGKILL');
  await Promise.all([once(two, 'exit'), once(silent, 'exit')]);
  expect(await scrape(one)).toEqual(['up{process="api-1"} 1']);
});

test('a process whose group is gone answers for itself', async () => {
  const child = start(MEMBER, 'api-1');
  createMetricsRelay()(child);
  await scrape(child);
  child.disconnect();
  const { stdout } = child;
  if (stdout === null) throw new Error('no output');
  expect(String((await once(stdout, 'data'))[0])).toBe('alone\n');
});
