import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { becomesReady, freePort, ROOT, type RunningProcess, startProcess } from '@access-admin/harness';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { blocksOf, runShell, withOwn } from './pages.ts';

const PAGE = 'docs/start/your-company.md';
const PROGRAM = join(ROOT, 'node_modules/.bin/access-admin');
const MARK = '--- the next block ---';

const own = (text: string) => text.replaceAll('npx access-admin', PROGRAM);
const [start, ...blocks] = blocksOf(PAGE).filter(({ language }) => language === 'sh');

let folder: string;
let port: string;
let running: RunningProcess;
/** What each block wrote, by a command in it. */
let outputOf: (command: string) => string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'access-admin-company-'));
  port = String(await freePort());
  // The service of the first shell, and the other blocks in the second one.
  expect(start?.text).toBe('npx access-admin --no-sample\n');
  running = startProcess([PROGRAM, '--no-sample'], { cwd: folder, env: { PORT: port, HOME: folder } });
  await becomesReady(`http://127.0.0.1:${port}`, running);
  await vi.waitFor(() => expect(running.output()).toContain('npx access-admin invite'), { timeout: 60_000 });
  const script = blocks.map(({ text }) => `${own(text)}\necho '${MARK}'`).join('\n');
  const { status, stdout, stderr } = runShell(`exec 2>&1\n${script}`, { PORT: port, HOME: folder }, folder);
  expect([status, stderr], stdout).toEqual([0, '']);
  const outputs = stdout.split(`${MARK}\n`);
  outputOf = (command) => outputs[blocks.findIndex(({ text }) => text.includes(command))] ?? '';
});

afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the blocks write what the page shows', () => {
  const shown = blocksOf(PAGE).filter(({ language, text }) => language === 'text' && !text.startsWith('15 2'));
  expect(shown).toHaveLength(2);
  const written = blocks.map(({ text }) => outputOf(text)).join('');
  for (const { text } of shown) for (const line of text.trimEnd().split('\n')) expect(written).toContain(`${line}\n`);
  expect(outputOf('a mapping is needed')).toMatch(/nothing was loaded\na mapping is needed\n$/);
  expect(outputOf('cat > personal.yaml')).toContain('nothing was changed: this was a dry run');
  expect(outputOf('access-admin predict')).toMatch(/CRITICAL +vendors-and-payments .* new /);
  expect(outputOf('./nightly.sh').match(/accounts +0 +0 +0 +\d/g)).toHaveLength(2);
  expect(outputOf('scim Groups')).toContain('"display":"Hoa Nguyễn"');
});

test('the administrator sets a password by the link, and comes to the console', async () => {
  const [link = ''] = /http\S+\/sign-in-link\/\S+/.exec(outputOf('access-admin invite')) ?? [];
  const { origin } = new URL(link);
  const password = 'a long password of our own';
  const body = new URLSearchParams({ password, repeated: password });
  const used = await fetch(link, { method: 'POST', body, redirect: 'manual', headers: { origin } });
  const [cookie = ''] = used.headers.getSetCookie().map((text) => text.split(';')[0] ?? '');
  expect([used.status, cookie]).toEqual([303, expect.stringMatching(/^session=/)]);
  const session = await fetch(`${origin}/sessions/v1/current`, { headers: { cookie } });
  expect(await session.json()).toMatchObject({ displayName: 'Anna Berg', capabilities: ['ORG_ADMIN'] });
});

test('the line of the crontab runs the job, which fails and deletes nobody where an export is cut off', () => {
  const line = blocksOf(PAGE).find(({ text }) => text.startsWith('15 2'))?.text ?? '';
  const [, command = ''] = /^(?:\S+ ){5}(.*)\n$/.exec(line) ?? [];
  const job = withOwn(command, { '8080': port, '/srv/access-admin': folder });
  const night = () => runShell(job, { HOME: folder });
  expect(night().status).toBe(0);
  const file = join(folder, 'personal.csv');
  const [head = ''] = readFileSync(file, 'utf8').split('\n');
  const rest = head.split(';').length - 3;
  const rows = Array.from({ length: 40 }, (_, at) => `2${at};u${at}${';'.repeat(rest)};\n`);
  writeFileSync(file, `${head}\n${rows.join('')}`);
  expect(night().status).toBe(0);
  writeFileSync(file, `${head}\n${rows.slice(0, 20).join('')}`);
  expect(night()).toMatchObject({ status: 1, stderr: expect.stringContaining('--confirm-deletes 20') });
});
