import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const COMMAND = fileURLToPath(new URL('../bin/sod-receipt-verify.ts', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/guides/receipts.md', import.meta.url), 'utf8');
const FOLDER = mkdtempSync(join(tmpdir(), 'access-admin-receipts-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(FOLDER, name), text);
const blockOf = (name: string) => new RegExp(`^\`\`\`\\w+ ${name}\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';
const [receipt, request, check, jwks, said] = ['receipt', 'request', 'check', 'jwks', 'said'].map(blockOf);
if (!receipt || !request || !check || !jwks || !said) throw new Error('The page lacks a block.');

write('receipt.jws', `${receipt}\n`);
write('request.json', request);
write('check.json', check);
write('both.json', JSON.stringify({ ...JSON.parse(check), request: JSON.parse(request) }));
write(
  'other-both.json',
  JSON.stringify({ ...JSON.parse(check), request: { ...JSON.parse(request), identityId: 'i-2' } }),
);
write('other-request.json', JSON.stringify({ ...JSON.parse(request), identityId: 'i-2' }));
write('other-check.json', check.replace('"omitted": 0', '"omitted": 1'));
write('jwks.json', jwks);
write('none.json', '{"keys":[]}');
write('text', 'no JSON');

const run = (args: readonly string[], input = '') =>
  new Promise<{ readonly code: unknown; readonly out: string; readonly error: string }>((resolve) => {
    const argv = ['--conditions=@access-admin/source', COMMAND, ...args];
    const child = execFile(process.execPath, argv, { cwd: FOLDER }, (error, out, stderr) =>
      resolve({ code: error === null ? 0 : error.code, out, error: stderr }),
    );
    child.stdin?.end(input);
  });

const KEYS = ['--jwks', 'jwks.json'];

test('a valid receipt is shown, from a file, the standard input and the text itself', async () => {
  const outcomes = await Promise.all([
    run(['receipt.jws', ...KEYS, '--check', 'check.json', '--request', 'request.json']),
    run(['-', ...KEYS, '--check', 'both.json'], receipt),
    run([receipt, ...KEYS]),
  ]);
  for (const { code, out, error } of outcomes)
    expect([code, JSON.parse(out), error]).toEqual([0, JSON.parse(said), '']);
});

test('the keys may be at an address', async () => {
  const server = createServer((_, response) => response.end(jwks)).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    expect((await run(['receipt.jws', '--jwks', `http://127.0.0.1:${port}/.well-known/jwks.json`])).code).toBe(0);
  } finally {
    server.close();
  }
});

test.each([
  ['unverified', ['receipt.jws']],
  ['not valid, unknown key', ['receipt.jws', '--jwks', 'none.json']],
  ['not valid, malformed', ['text', ...KEYS]],
  ['not valid, another result', ['receipt.jws', ...KEYS, '--check', 'other-check.json']],
  ['not valid, another request', ['receipt.jws', ...KEYS, '--check', 'other-both.json']],
  ['not valid, another request', ['receipt.jws', ...KEYS, '--request', 'other-request.json']],
  ['not verified: There is no JSON object in text', ['receipt.jws', ...KEYS, '--check', 'text']],
  ['not verified: There is no key set in check.json', ['receipt.jws', '--jwks', 'check.json']],
  ['not verified: ENOENT', ['missing.jws', ...KEYS]],
])('%s: exit code 1', async (reason, args) => {
  const { code, out, error } = await run(args);
  expect([code, out, error.slice(0, reason.length)]).toEqual([1, '', reason]);
});

test.each([[[]], [['receipt.jws', 'more']], [['receipt.jws', '--keys', 'jwks.json']], [['receipt.jws', '--jwks']]])(
  'the arguments %j: exit code 2 and the usage',
  async (args) => {
    const { code, error } = await run(args);
    expect([code, error.slice(0, 6)]).toEqual([2, 'usage:']);
  },
);
