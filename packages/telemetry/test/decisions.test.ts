import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSmallDisk, whyNoSmallDisk } from '@access-admin/harness';
import { Registry } from 'prom-client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Decision, openDecisionLog } from '../src/index.ts';

const NOW = new Date('2026-11-21T09:30:00.000Z');

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'decisions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function openAt(path: string) {
  const registry = new Registry();
  const told: string[] = [];
  const tell = (fields: object, message: string) => void told.push(`${message} ${JSON.stringify(fields)}`);
  let reopen = () => {};
  const onReopen = (listener: () => void) => {
    reopen = listener;
  };
  const opening = openDecisionLog(
    { kind: 'file', path },
    { registry, stdout: { write: () => true }, log: { info: tell, error: tell }, now: () => NOW, onReopen },
  );
  const counted = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return { opening, told, counted, reopen: () => reopen() };
}

const DECISION: Decision = {
  kind: 'prediction',
  tenant: 'acme',
  clientId: 'c-1',
  request: {
    identityId: 'i-1',
    accessRefs: [
      { type: 'ENTITLEMENT', id: 'e-1' },
      { type: 'ROLE', id: 'r-1', end: '2027-01-01T00:00:00.000Z' },
    ],
    clientMetadata: null,
  },
  violatedPolicies: ['p-1'],
  basis: { policySetVersion: 7, asOf: '2026-11-21T09:29:59.000Z' },
  trackingId: '0af7651916cd43dd8448eb211c80319c',
};

test('a decision is one JSON line, in a file for its owner', async () => {
  const path = join(await newFolder(), 'decisions.jsonl');
  await writeFile(path, 'earlier\n');
  const { opening, counted } = openAt(path);
  const opened = await opening;
  if (!opened.ok || opened.value === null) throw new Error('not opened');
  opened.value.write(DECISION);
  opened.value.write({ ...DECISION, kind: 'check', requestId: 'q-1', violatedPolicies: null, basis: null });
  await opened.value[Symbol.asyncDispose]();
  const [earlier, first = '', second = '', ...rest] = (await readFile(path, 'utf8')).split('\n');
  expect([earlier, rest]).toEqual(['earlier', ['']]);
  const request =
    '{"accessRefs":[{"id":"e-1","type":"ENTITLEMENT"},{"end":"2027-01-01T00:00:00.000Z","id":"r-1","type":"ROLE"}],"identityId":"i-1"}';
  const line = {
    time: NOW.toISOString(),
    tenant: 'acme',
    clientId: 'c-1',
    identityId: 'i-1',
    accessRefs: DECISION.request.accessRefs,
    requestSha256: createHash('sha256').update(request).digest('hex'),
    violatedPolicies: ['p-1'],
    policySetVersion: 7,
    asOf: '2026-11-21T09:29:59.000Z',
    trackingId: DECISION.trackingId,
  };
  expect(JSON.parse(first)).toEqual({ decision: 'prediction', ...line });
  const withoutVerdict = { violatedPolicies: null, policySetVersion: null, asOf: null };
  expect(JSON.parse(second)).toEqual({ decision: 'check', ...line, ...withoutVerdict, requestId: 'q-1' });
  expect(await counted('access_admin_decisions_logged_total')).toBe(2);
  expect(await counted('access_admin_decisions_lost_total')).toBe(0);
});

test('after its rotation, the file is opened anew, and no line is lost', async () => {
  const path = join(await newFolder(), 'decisions.jsonl');
  const { opening, reopen } = openAt(path);
  const opened = await opening;
  if (!opened.ok || opened.value === null) throw new Error('not opened');
  const identitiesIn = async (file: string) =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line || '{}').identityId);
  const write = (identityId: string) =>
    opened.value?.write({ ...DECISION, request: { ...DECISION.request, identityId } });
  write('before');
  await expect.poll(() => identitiesIn(path)).toEqual(['before']);
  await rename(path, `${path}.1`);
  reopen();
  write('after');
  await opened.value[Symbol.asyncDispose]();
  expect([await identitiesIn(`${path}.1`), await identitiesIn(path)]).toEqual([['before'], ['after']]);
});

test('decisions that standard output has lost are counted', async () => {
  const registry = new Registry();
  const lines: string[] = [];
  const write = (line: { toString(): string }) => lines.push(String(line)) < 2;
  const log = { info: () => {}, error: () => {} };
  const opened = await openDecisionLog(
    { kind: 'stdout' },
    {
      registry,
      stdout: { write },
      log,
      now: () => NOW,
      onReopen: () => {},
    },
  );
  if (!opened.ok || opened.value === null) throw new Error('not opened');
  opened.value.write(DECISION);
  opened.value.write(DECISION);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ decision: 'prediction', tenant: 'acme' });
  const counted = await registry.getSingleMetric('access_admin_decisions_lost_total')?.get();
  expect(counted?.values[0]?.value).toBe(1);
});

test('a new file can be read by its owner only', async () => {
  const path = join(await newFolder(), 'decisions.jsonl');
  const opened = await openAt(path).opening;
  if (opened.ok) await opened.value?.[Symbol.asyncDispose]();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a path that cannot be opened is refused with the reason', async () => {
  const folder = await newFolder();
  expect(await openAt(folder).opening).toEqual({
    ok: false,
    failure: `The file of DECISION_LOG, ${folder}, cannot be opened: EISDIR, it is a folder.`,
  });
  const missing = join(folder, 'missing', 'file');
  expect(await openAt(missing).opening).toMatchObject({ ok: false, failure: expect.stringContaining('ENOENT') });
});

// A process that waited for the reader would never be ready, and could not be stopped.
test('a pipe that nobody reads is refused, and does not hold up the start', async () => {
  const path = join(await newFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  expect(await openAt(path).opening).toEqual({
    ok: false,
    failure: `The file of DECISION_LOG, ${path}, cannot be opened: ENXIO, it is a pipe that nobody reads.`,
  });
});

const whyNone = whyNoSmallDisk();
if (whyNone !== null) process.stderr.write(`decisions.test.ts: no full disk is tried, ${whyNone}\n`);

describe.runIf(whyNone === null)('on a disk that is full', () => {
  test('answers go on, the log and a metric tell it, and lines follow when there is room', async () => {
    const small = openSmallDisk(64);
    onTestFinished(() => small[Symbol.dispose]());
    const { path: folder } = small;
    const filler = join(folder, 'filler');
    await writeFile(filler, 'x'.repeat(60 * 1024));
    const path = join(folder, 'decisions.jsonl');
    const { opening, told, counted } = openAt(path);
    const opened = await opening;
    if (!opened.ok || opened.value === null) throw new Error('not opened');
    for (let count = 0; count < 40; count++) opened.value.write(DECISION);
    await vi.waitFor(() => expect(told).toHaveLength(1), 10_000);
    expect(told[0]).toBe('decisions cannot be logged {"reason":"ENOSPC, the disk is full","decisionsLost":0}');
    await rm(filler);
    await vi.waitFor(() => expect(told).toHaveLength(2), 10_000);
    expect(told[1]).toBe('decisions are logged again {"decisionsLost":0}');
    await opened.value[Symbol.asyncDispose]();
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    // The disk took a part of a line: its whole follows.
    const whole = lines.filter((line) => line.endsWith('}') && line.startsWith('{"decision"'));
    expect([whole.length, lines.length]).toEqual([40, 41]);
    expect(await counted('access_admin_decisions_lost_total')).toBe(0);
  });
});
