import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@access-admin/client';
import { freePort, ROOT } from '@access-admin/harness';
import { afterEach, beforeEach, expect, test } from 'vitest';

const READY_MS = 45_000;
let folder = '';
let port = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'access-admin-start-'));
  port = await freePort();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('prints a predict call that shows a violation when pasted into a shell', async (context) => {
  await using run = startNpm();
  await run.prints('The answer to expect');
  const call = run.output().match(/^token=.*\ncurl .*$/m)?.[0] ?? '';
  expect(call).not.toBe('');
  if (spawnSync('curl', ['--version']).status !== 0) return context.skip('this machine has no curl');
  const pasted = spawnSync('sh', ['-c', call], { encoding: 'utf8' });
  expect(JSON.parse(pasted.stdout)).toMatchObject({
    violationContexts: [{ policy: { id: 'sod-p2p-01' }, preexisting: false }],
  });
});

test('loads the sample into an empty store only', async () => {
  const load = 'sample loaded';
  {
    await using first = startNpm({ SAMPLE: 'off' });
    await first.prints('is running');
    expect(first.output()).not.toContain(load);
    const identities = await clientOf().accessModel.import([{ kind: 'entitlement', id: 'e-own', name: 'Our own' }]);
    expect(identities.counts.entitlement.created).toBe(1);
  }
  await using second = startNpm();
  await second.prints('is running');
  expect(second.output()).not.toContain(load);
  expect(second.output()).toContain('The sample is not in this store');
});

test.each([
  ['SIGTERM to npm', 'SIGTERM', 'npm'],
  ['SIGKILL of npm', 'SIGKILL', 'npm'],
  ['Ctrl-C', 'SIGINT', 'everybody'],
] as const)('%s leaves nothing behind', async (_, signal, target) => {
  await using run = startNpm({ SAMPLE: 'off' });
  await run.prints('is running');
  run.kill(signal, target);
  const answers = () => clientOf().health.ready({ timeoutMs: 1000 });
  await expect.poll(answers, { interval: 100 }).toBe(false);
  await expect.poll(run.isGone, { interval: 100 }).toBe(true);
});

test('the API reports a wrong configuration, and npm start ends with its exit code', async () => {
  await using run = startNpm({ LOG_LEVEL: 'loud' });
  expect(await run.ended).toBe(2);
  expect(run.output()).toContain('LOG_LEVEL');
});

const clientOf = () =>
  createClient({ baseAddress: `http://127.0.0.1:${port}`, clientId: 'start', clientSecret: 's3cret', retries: 0 });

// Its own process group, as under a terminal: a test lists the group to find processes that are left.
function startNpm(env: Readonly<Record<string, string>> = {}) {
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutNpm(process.env),
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(folder, 'start.db')}`,
      BOOTSTRAP_CLIENT_ID: 'start',
      BOOTSTRAP_CLIENT_SECRET: 's3cret',
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const kill = (signal: NodeJS.Signals, target: 'npm' | 'everybody') => {
    const { pid } = child;
    if (pid === undefined) throw new Error('npm did not start');
    process.kill(target === 'npm' ? pid : -pid, signal);
  };
  const isGone = () => child.pid === undefined || !isGroupRunning(child.pid);
  return {
    ended,
    kill,
    isGone,
    output: () => output,
    prints: (text: string) => expect.poll(() => output, { timeout: READY_MS, interval: 50 }).toContain(text),
    async [Symbol.asyncDispose]() {
      if (isGone()) return;
      kill('SIGTERM', 'everybody');
      await expect.poll(isGone, { interval: 50 }).toBe(true);
    },
  };
}

// The variables of the npm that runs the tests would configure the npm that is started; only the registry is kept.
const SHARED_WITH_NPM = ['npm_config_cache', 'npm_config_registry', 'npm_config_userconfig'];
const withoutNpm = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('npm_') || SHARED_WITH_NPM.includes(name.toLowerCase())),
  );

// A zombie does not count.
function isGroupRunning(group: number): boolean {
  if (existsSync('/proc/self/stat')) {
    const stats = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(statOf);
    return stats.some(([state, , itsGroup]) => Number(itsGroup) === group && state !== 'Z');
  }
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

function statOf(id: string): readonly string[] {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ') ?? [];
  } catch {
    return [];
  }
}
