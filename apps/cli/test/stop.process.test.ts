import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, readdirSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openFolder, type TemporaryFolder } from '@access-admin/harness';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROGRAM } from './run-cli.ts';
import { ndjson } from './run-here.ts';

let folder: TemporaryFolder;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = openFolder('stop');
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folder[Symbol.dispose]();
});

const RULES = 'policies:\n  - {id: p, name: P, left: [a], right: ["b*"]}\n';
const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);

/** Starts the command. What it writes to standard output is not read. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder.path,
    env: { HOME: folder.path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let notes = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    notes += text;
  });
  return {
    /** Interrupts it once, as Ctrl-C does, and waits for its end. */
    interrupt: async () => {
      child.kill('SIGINT');
      const [code, signal] = await once(child, 'exit');
      return { code, signal, notes };
    },
  };
}

/** Makes a pipe, which has no end, as a file; resolves with its other side once the command reads from it. */
function makePipe(name: string) {
  const path = join(folder.path, name);
  execFileSync('mkfifo', [path]);
  return async (): Promise<FileHandle> => {
    // Without a reader that fails, where a plain open would wait for one for ever.
    const probe = await vi.waitFor(() => open(path, constants.O_WRONLY | constants.O_NONBLOCK), HANG_MS);
    const pipe = await open(path, 'w');
    await probe.close();
    return pipe;
  };
}

const HANG_MS = 60_000;

/** A service that gives a token, and then does with a request what it is told to. */
async function startService(answer: (respond: import('node:http').ServerResponse) => void) {
  const asked = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.url === '/oauth/token')
      return response
        .setHeader('content-type', 'application/json')
        .end('{"access_token":"t","token_type":"Bearer","expires_in":900}');
    answer(response);
    asked.resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked: asked.promise,
    env: {
      ACCESS_ADMIN_URL: `http://127.0.0.1:${Object(server.address()).port}`,
      ACCESS_ADMIN_CLIENT_ID: 'a',
      ACCESS_ADMIN_CLIENT_SECRET: 's',
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test.each([
  'import m.ndjson',
  'export -o out',
  'diff r.yaml',
  'plan r.yaml -o out',
  'predict i a',
  'check i a',
  'check i a --wait',
  'reserve i a',
  'reservations list',
  'reservations settle x',
  'reservations release x',
  'explain i',
  'who-can a',
  'what-can i',
  'violations list',
  'violations export -o out',
  'violations summary',
  'exceptions list',
  'exceptions approve x',
  'webhooks list',
  'webhooks test x',
  'events tail --after 0',
  'clients list',
  'tenants list',
  'tenants delete --yes x',
  'login dev',
  'doctor',
])('%s ends while a service does not answer', async (command) => {
  using service = await startService(() => {});
  write('r.yaml', RULES);
  write('m.ndjson', ndjson([{ kind: 'entitlement', id: 'a', name: 'A' }]));
  const running = start(command.split(' '), service.env);
  await service.asked;
  const { code, signal } = await running.interrupt();
  // A stream of events has no other end.
  expect([code, signal]).toEqual([command.startsWith('events') ? 0 : 1, null]);
  expect(readdirSync(folder.path).filter((name) => name.startsWith('out'))).toEqual([]);
});

test('a command ends although nobody reads what it writes', async () => {
  const record = `${JSON.stringify({ kind: 'entitlement', id: 'e', name: 'x'.repeat(200) })}\n`;
  // More than pipes hold.
  using service = await startService((response) => {
    response.setHeader('content-type', 'application/x-ndjson');
    for (let piece = 0; piece < 100; piece++) response.write(record.repeat(100));
  });
  const running = start(['export'], service.env);
  await service.asked;
  const { code, notes } = await running.interrupt();
  expect([code === 0, notes]).toEqual([false, expect.stringContaining('stopped')]);
});

test.each([
  'fmt pipe',
  'lint pipe',
  'lint r.yaml --model pipe',
  'test pipe',
  'scan --local pipe r.yaml',
  'diff --local pipe r.yaml r.yaml',
  'convert ldif pipe -o out',
  'convert scim pipe -o out',
  'convert csv --users pipe --entitlements pipe --assignments pipe -o out',
  'verify audit pipe',
  'verify receipt pipe --jwks pipe',
])('%s ends while a file has not ended, and leaves nothing half-written', async (command) => {
  write('r.yaml', RULES);
  const pipe = makePipe('pipe');
  const running = start(command.split(' '));
  await using _ = await pipe();
  expect((await running.interrupt()).code).not.toBe(0);
  expect(readdirSync(folder.path).filter((name) => name.startsWith('out'))).toEqual([]);
});

test('a command ends in the middle of what it computes', async () => {
  const pipe = makePipe('pipe');
  const running = start(['lint', 'pipe', '--fail-on', 'never']);
  {
    await using rules = await pipe();
    const policies = Array.from(
      { length: 20_000 },
      (_, at) => `  - {id: p-${at}, name: P, left: [a-${at}], right: [b]}\n`,
    );
    await rules.writeFile(`policies:\n${policies.join('')}`);
  }
  // It has the whole file, and takes seconds to parse it.
  expect((await running.interrupt()).code).not.toBe(0);
});
