import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { freePort, openFolder } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../src/start/serve.ts';

/** In the place of the API: ready, but a request for a token is not answered before it is stopped. */
const SILENT = `
require('node:http').createServer((request, response) => {
  if (request.url === '/readyz') response.end('{}');
  else require('node:fs').writeFileSync('ASKED', '');
}).listen(process.env.PORT, '127.0.0.1');
`;
/** Calls are repeated for longer than this. */
const HANG_MS = 60_000;

/** Serves with the programs of a folder; `notes` fills with what the operator is told. */
function serveIn(folder: string, env: Readonly<Record<string, string>>, signal: AbortSignal) {
  const notes: string[] = [];
  const serving = serve({
    env,
    folder,
    programs: folder,
    apis: 1,
    workers: 1,
    hasSample: true,
    output: {
      write: async () => {},
      show: async () => {},
      note: (text) => void notes.push(text),
      style: (_, plain) => ({ plain, toString: () => plain }),
      progress: () => ({ update: () => {}, end: () => {} }),
    },
    signal,
    now: () => new Date(),
    elapsed: () => performance.now(),
  });
  return { serving, notes };
}

test(
  'a stop during the start waits for the processes, and not for what the start still asks them',
  async () => {
    using folder = openFolder('serve');
    const asked = join(folder.path, 'asked');
    const port = String(await freePort());
    mkdirSync(join(folder.path, 'api/dist'), { recursive: true });
    writeFileSync(join(folder.path, 'end-with-parent.js'), '');
    const api = SILENT.replace('ASKED', asked).replace('process.env.PORT', port);
    writeFileSync(join(folder.path, 'api/dist/main.js'), api);
    const stop = new AbortController();
    const env = { PORT: port, BOOTSTRAP_CLIENT_ID: 'c', BOOTSTRAP_CLIENT_SECRET: 's' };
    const { serving, notes } = serveIn(folder.path, env, stop.signal);
    await expect.poll(() => existsSync(asked), { interval: 20 }).toBe(true);
    stop.abort();
    expect([await serving, notes]).toEqual([0, []]);
  },
  HANG_MS,
);

test('a port in use next to METRICS_PORT refuses the start, before any process, and the message names the variable', async () => {
  using folder = openFolder('serve');
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const env = { PORT: String(await freePort()), METRICS_PORT: String(port - 1) };
  const { serving, notes } = serveIn(folder.path, env, new AbortController().signal);
  expect([await serving, notes]).toEqual([
    1,
    [
      `access-admin: 127.0.0.1:${port}, where the worker would have its metrics, next to METRICS_PORT, is in use; choose another METRICS_PORT`,
    ],
  ]);
});
