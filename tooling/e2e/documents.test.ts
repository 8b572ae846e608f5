import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, openTestService, ROOT, type RunningApi } from '@access-admin/harness';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { blocksOf } from './pages.ts';

/** The pages whose calls are made one after the other, in one shell. Calls of `npm` are not among them. */
const PAGES = [
  'README.md',
  'docs/start/first-steps.md',
  'docs/start/conflict-to-fix.md',
  'docs/start/signing-in.md',
  'docs/start/your-access-model.md',
  'docs/guides/scim.md',
];
const CREDENTIALS = 'var/bootstrap-client.json';
const MARK = '--- the next block ---';

const service = await openTestService();
let api: RunningApi;

// The service as `npm start` leaves it.
beforeAll(async () => {
  api = await service.startApi();
  service.startWorker();
  const sample = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8').trimEnd().split('\n');
  await api.client.accessModel.import(sample.map((line) => JSON.parse(line)));
});

afterAll(() => service[Symbol.asyncDispose]());

test('the calls of README and of the first pages, pasted in order into a shell, return what they show', (context) => {
  if (spawnSync('curl', ['--version']).status !== 0) return context.skip('this machine has no curl');
  for (const page of PAGES) expect(examplesOf(page), page).not.toEqual([]);
  const examples = PAGES.flatMap(examplesOf);
  const script = examples.map(({ command }) => `${command}\nprintf '\\n%s\\n' '${MARK}'\n`).join('');
  expect(script).toContain(CREDENTIALS);
  const pasted = spawnSync('sh', ['-eu', '-c', script.replaceAll(CREDENTIALS, writeCredentials())], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PORT: portOf(api) },
  });
  expect([pasted.status, pasted.stderr]).toEqual([0, '']);
  const outputs = pasted.stdout.split(`${MARK}\n`);
  for (const [at, { command, shown }] of examples.entries()) {
    const answers = valuesIn(outputs[at] ?? '');
    if (shown !== null) expect(answers, command).toMatchObject(shown);
    else for (const answer of answers) expect(answer, command).not.toHaveProperty('detailCode');
  }
});

test('the people that the page of signing in names have the roles that it says', async () => {
  const rows = [...read('docs/start/signing-in.md').matchAll(/^\| `([^`]+)` \| `([^`]+)` \| .*\(`([^`]+)`\) \|$/gm)];
  expect(rows).toHaveLength(4);
  for (const [, uid, id = '', capability] of rows) {
    const user = await api.client.authUsers.get(id);
    expect(user.uid).toBe(uid);
    expect(user.capabilities).toContain(capability);
  }
});

test('the program of the page about programs prints what it says', () => {
  const page = read('docs/start/your-program.md');
  const program = blocksOf('docs/start/your-program.md').find(({ language }) => language === 'js')?.text ?? '';
  const [, printed, state] = /It prints `([^`]+)`, then `([^`]+)` and that policy/.exec(page) ?? [];
  const { clientId, clientSecret } = service.credentials;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    // The SDK can be imported from this folder.
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT: portOf(api) },
  });
  expect([run.status, run.stderr]).toEqual([0, '']);
  expect(printed).toBeDefined();
  expect(run.stdout.split('\n')[0]).toBe(printed);
  expect(run.stdout).toMatch(new RegExp(`^${state} \\[[^]*sod-p2p-01`, 'm'));
});

interface Example {
  readonly command: string;
  /** The responses that the page shows; null where it shows none. */
  readonly shown: readonly unknown[] | null;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The blocks of shell of a page, each with the block of JSON that follows it. */
function examplesOf(page: string): readonly Example[] {
  const blocks = blocksOf(page);
  return blocks.flatMap(({ language, text }, at) => {
    const next = blocks[at + 1];
    return language === 'sh' && !text.startsWith('npm ')
      ? [{ command: text, shown: next?.language === 'json' ? valuesIn(next.text, abridged) : null }]
      : [];
  });
}

/** Parses one JSON text over any number of lines, or one per line; the last line may lack its end. */
function valuesIn(text: string, reviver?: (key: string, value: unknown) => unknown): readonly unknown[] {
  try {
    return [JSON.parse(text, reviver)];
  } catch {
    const lines = text
      .replaceAll('}{', '}\n{')
      .split('\n')
      .filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line, reviver));
  }
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Documents show values that differ between runs as an ellipsis or as an instant. */
function abridged(_key: string, value: unknown): unknown {
  if (value === '…') return expect.any(String);
  return typeof value === 'string' && INSTANT.test(value) ? expect.stringMatching(INSTANT) : value;
}

const portOf = ({ baseAddress }: RunningApi) => new URL(baseAddress).port;

/** Writes the file that `npm start` would have left; returns its path. */
function writeCredentials(): string {
  const folder = openFolder('documents');
  onTestFinished(() => folder[Symbol.dispose]());
  const path = join(folder.path, 'bootstrap-client.json');
  writeFileSync(path, JSON.stringify(service.credentials, null, 2));
  return path;
}
