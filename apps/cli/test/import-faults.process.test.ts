import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { RECORD_KINDS } from '@access-admin/domain';
import { openFolder, type TemporaryFolder } from '@access-admin/harness';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';
import { ndjson } from './run-here.ts';

/** What a service does with the next request for a token, or for an import. */
type Fate = 'ok' | 'refuse' | 'cut';

const PEOPLE = 60_000;

let folder: TemporaryFolder;

beforeEach(() => {
  folder = openFolder('import');
  const people = Array.from({ length: PEOPLE }, (_, id) => ({
    kind: 'identity',
    id: `i-${id}`,
    uid: `u-${id}`,
    identityProfile: 'p',
    displayName: 'x'.repeat(200),
    access: [],
  }));
  // More than one request takes, fewer than three.
  writeFileSync(
    join(folder.path, 'people.ndjson'),
    ndjson([{ kind: 'identityProfile', id: 'p', name: 'P' }, ...people]),
  );
});

afterEach(() => folder[Symbol.dispose]());

/** A service whose requests end as they are told, one after the other; what is left out is answered. */
async function startService(fates: { readonly tokens?: readonly Fate[]; readonly imports?: readonly Fate[] }) {
  const tokens = [...(fates.tokens ?? [])];
  const imports = [...(fates.imports ?? [])];
  const taken: number[] = [];
  let issued = 0;
  const server = createServer(async (request, response) => {
    const isToken = request.url === '/oauth/token';
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const fate = (isToken ? tokens : imports).shift() ?? 'ok';
    if (fate === 'cut') return request.socket.destroy();
    response.setHeader('content-type', 'application/json');
    if (isToken) {
      if (fate === 'refuse') return response.writeHead(401).end('{"error":"invalid_client"}');
      return response.end(JSON.stringify({ access_token: `token-${++issued}`, token_type: 'Bearer', expires_in: 900 }));
    }
    if (fate === 'refuse') return response.writeHead(401).end('{"detailCode":"401","messages":[],"causes":[]}');
    const created = body.trim().split('\n').length;
    taken.push(created);
    const none = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
    const counts = Object.fromEntries(
      RECORD_KINDS.map((kind) => [kind, kind === 'identity' ? { ...none, created } : none]),
    );
    response.end(JSON.stringify({ counts, warnings: [], policySetVersion: 1 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  return {
    taken,
    run: (options?: Parameters<typeof runCli>[1]) =>
      runCli(
        [
          'import',
          'people.ndjson',
          '--format',
          'json',
          '--url',
          `http://127.0.0.1:${port}`,
          '--client-id',
          'a',
          '--client-secret',
          's',
        ],
        { cwd: folder.path, ...options },
      ),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('an import goes on with another token when its own is refused midway', async () => {
  using service = await startService({ imports: ['ok', 'refuse'] });
  const { code, stderr } = await service.run();
  expect([code, stderr]).toEqual([0, '']);
  expect(service.taken.reduce((sum, records) => sum + records)).toBe(PEOPLE + 1);
  expect(service.taken).toHaveLength(2);
});

test('an import whose client is no longer known says what was done, and goes on from there', async () => {
  using service = await startService({ tokens: ['ok', 'refuse'], imports: ['ok', 'refuse'] });
  const first = await service.run();
  const [records = 0] = service.taken;
  expect([first.code, first.stdout, first.stderr.split('\n')]).toEqual([
    1,
    '',
    [
      `${records.toLocaleString('en-US')} of ${(PEOPLE + 1).toLocaleString('en-US')} records are imported: the same command goes on from there`,
      expect.stringContaining('invalid_client'),
      'Is this the right client, with its present secret?',
      '',
    ],
  ]);
  const second = await service.run();
  expect([second.code, second.stderr]).toEqual([0, 'going on after 1 requests of an earlier run\n']);
  expect(service.taken).toEqual([records, PEOPLE + 1 - records]);
});

test('an import waits for a service that goes away midway', async () => {
  using service = await startService({ imports: ['ok', 'cut', 'cut', 'cut', 'cut', 'cut'] });
  const { code, stderr } = await service.run();
  expect(code).toBe(0);
  expect(stderr).toMatch(/: repeated in 1 s\n/);
  expect(service.taken).toHaveLength(2);
});

test('an import that cannot keep how far it is says that it begins from the start', async () => {
  using service = await startService({ tokens: ['ok', 'refuse'], imports: ['ok', 'refuse'] });
  rmSync(join(folder.path, '.cache'), { recursive: true, force: true });
  // A file is where the folder would be.
  writeFileSync(join(folder.path, '.cache'), '');
  const { code, stderr } = await service.run();
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('the same command begins from the start, which is harmless'),
  ]);
  const whole = await service.run();
  expect([whole.code, whole.stderr]).toEqual([0, '']);
});
