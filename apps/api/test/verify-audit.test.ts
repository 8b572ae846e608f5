import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '@access-admin/domain';
import { openFolder } from '@access-admin/harness';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseHead, type TenantHead, verifyAuditExport } from '../src/audit/verify-export.ts';
import { openTestApi, WORLD } from './test-api.ts';

// An import has an event of its counts, and one of what it changed of each record, or of many identities.
const IMPORTED = 12;
const EVENTS = IMPORTED + 7;

async function makeLog() {
  const { call, importRecords, store } = await openTestApi();
  await importRecords(WORLD);
  for (let number = 1; number <= EVENTS - IMPORTED; number += 1) {
    const capabilities = number % 2 === 0 ? [] : ['HELPDESK', 'REPORT_ADMIN'];
    await call('PATCH', '/auth-users/v1/i-cleo', {
      body: [{ op: 'replace', path: '/capabilities', value: capabilities }],
    });
  }
  const text = (await call('GET', '/audit-events/v1/export')).text;
  const head = (await call('GET', '/audit-events/v1/head')).text;
  const jwks = (await call('GET', '/.well-known/jwks.json', { token: null })).text;
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(EVENTS);
  /** The text after an edit of its lines. */
  const edited = (edit: (lines: string[]) => void) => {
    const copy = [...lines];
    edit(copy);
    return copy.map((line) => `${line}\n`).join('');
  };
  return { call, store, text, head, jwks, lines, edited, end: await parseHead(head, jwks) };
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const verify = (bytes: Uint8Array | string, head: TenantHead | null = null) =>
  verifyAuditExport(whole(Buffer.from(bytes)), head);

describe('verifying an export of the audit log', () => {
  test('accepts an unchanged export', async () => {
    const { text, end } = await makeLog();
    expect(await verify(text)).toEqual({ sequence: EVENTS, fault: null, erased: 0 });
    expect(await verify(text.trimEnd(), end)).toEqual({ sequence: EVENTS, fault: null, erased: 0 });
    expect(await verify('')).toEqual({ sequence: 0, fault: null, erased: 0 });
  });

  test('accepts one that arrives in pieces of any size, with lines of megabytes', async () => {
    const { text, end } = await makeLog();
    const { importRecords, call } = await openTestApi();
    const ids = Array.from({ length: 9_000 }, (_, at) => `e-${at}`.padEnd(100, 'x'));
    await importRecords(ids.map((id) => ({ kind: 'entitlement', id, name: 'x' })));
    await importRecords([{ kind: 'accessProfile', id: 'ap', name: 'All', entitlements: ids }]);
    const long = (await call('GET', '/audit-events/v1/export')).text;
    expect(Math.max(...long.split('\n').map(({ length }) => length))).toBeGreaterThan(900_000);
    async function* inPieces(bytes: Uint8Array, size: number) {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    for (const size of [1, 7, 1_000, 65_536])
      expect(await verifyAuditExport(inPieces(Buffer.from(text), size), end)).toMatchObject({ fault: null });
    const { sequence, fault } = await verifyAuditExport(inPieces(Buffer.from(long), 4_096), null);
    expect([sequence, fault]).toEqual([long.trimEnd().split('\n').length, null]);
  });

  test('finds 100 of 100 flipped bytes and the event of each', async () => {
    const bytes = Buffer.from((await makeLog()).text.trimEnd());
    for (let number = 0; number < 100; number += 1) {
      const at = Math.floor(((number + 0.5) * bytes.length) / 100);
      const flipped = Buffer.from(bytes);
      flipped[at] = (bytes[at] ?? 0) ^ (1 << (number % 8));
      const { sequence, fault } = await verify(flipped);
      expect(fault).not.toBeNull();
      expect(sequence).toBe(bytes.subarray(0, at).toString().split('\n').length);
    }
  });

  test('finds every removed row', async () => {
    const { edited, end } = await makeLog();
    for (let at = 0; at < EVENTS - 1; at += 1)
      expect(await verify(edited((lines) => lines.splice(at, 1)))).toEqual({
        sequence: at + 1,
        fault: 'it is not there',
        erased: 0,
      });
    expect(
      await verify(
        edited((lines) => lines.splice(-1)),
        end,
      ),
    ).toMatchObject({ sequence: EVENTS });
  });

  test('finds a removed end with the signed head', async () => {
    const { edited, end } = await makeLog();
    for (let left = 0; left < EVENTS; left += 1) {
      const cut = edited((lines) => lines.splice(left));
      expect(await verify(cut)).toMatchObject({ fault: null });
      expect(await verify(cut, end)).toMatchObject({ sequence: left + 1, fault: `the log goes on to ${EVENTS}` });
    }
  });

  test('finds swapped, duplicated and inserted rows', async () => {
    const { lines, edited } = await makeLog();
    const swapped = edited((copy) => copy.splice(3, 2, lines[4] ?? '', lines[3] ?? ''));
    const doubled = edited((copy) => copy.splice(3, 0, lines[3] ?? ''));
    const empty = edited((copy) => copy.splice(3, 0, ''));
    const foreign = edited((copy) => copy.splice(3, 1, (lines[3] ?? '').replace('"default"', '"other"')));
    expect(await verify(swapped)).toMatchObject({ sequence: 4 });
    expect(await verify(doubled)).toMatchObject({ sequence: 5 });
    expect(await verify(empty)).toMatchObject({ sequence: 4 });
    expect(await verify(foreign)).toMatchObject({ sequence: 4, fault: 'it is of another tenant' });
  });

  test('finds lines of any form, and passes by sealed attestations of any', async () => {
    const { edited, lines } = await makeLog();
    const event = JSON.parse(lines[3] ?? '');
    for (const forged of [null, 'x', [], { ...event, changes: [null] }, { ...event, erased: null, trackingId: 'x' }])
      expect(await verify(edited((copy) => copy.splice(3, 1, JSON.stringify(forged))))).toMatchObject({
        sequence: 4,
        fault: expect.any(String),
      });
    const last = JSON.parse(lines.at(-1) ?? '');
    const changes = [null, 7, { field: 'erased', before: null, after: [null, 'x', {}] }];
    const { hash: previousHash, ...rest } = { ...last, operation: 'erase-identity-v1', changes };
    const placed = { ...rest, sequence: EVENTS + 1, previousHash };
    const hash = createHash('sha256').update(canonicalJson(placed)).digest('hex');
    expect(await verify(edited((copy) => copy.push(JSON.stringify({ ...placed, hash }))))).toEqual({
      sequence: EVENTS + 1,
      fault: null,
      erased: 0,
    });
  });

  test('finds a log that was rewritten completely', async () => {
    const { end } = await makeLog();
    const { text } = await makeLog();
    expect(await verify(text)).toMatchObject({ fault: null });
    expect(await verify(text, end)).toEqual({
      sequence: EVENTS,
      fault: 'it is not the one that the head names',
      erased: 0,
    });
  });

  test('begins after the events that were archived, as the signed head tells, or with them', async () => {
    const { call, store, lines, text, jwks } = await makeLog();
    const [expired] = await store.auditRetention.listExpired('9999');
    if (expired === undefined) throw new Error('no log');
    const { hash } = JSON.parse(lines[4] ?? '');
    await store.auditRetention.begin(expired, { sequence: 5, hash });
    while (await store.auditRetention.removeArchived());
    const head = (await call('GET', '/audit-events/v1/head')).text;
    expect(JSON.parse(head)).toMatchObject({ sequence: EVENTS, firstSequence: 6, previousHash: hash });
    const end = await parseHead(head, jwks);
    const rest = (await call('GET', '/audit-events/v1/export')).text;
    expect(rest).toBe(text.split('\n').slice(5).join('\n'));
    expect(await verify(rest, end)).toEqual({ sequence: EVENTS, fault: null, erased: 0 });
    expect(await verify(text, end)).toEqual({ sequence: EVENTS, fault: null, erased: 0 });
    expect(await verify(text.slice((lines[0] ?? '').length + 1), end)).toEqual({
      sequence: EVENTS,
      fault: null,
      erased: 0,
    });
    expect(await verify(rest)).toEqual({ sequence: 1, fault: 'it is not there', erased: 0 });
    const cut = rest.slice((lines[5] ?? '').length + 1);
    expect(await verify(cut, end)).toEqual({ sequence: 6, fault: 'it is not there', erased: 0 });
    for (const change of [{ firstSequence: 5 }, { firstSequence: undefined }, { previousHash: null }])
      await expect(parseHead(JSON.stringify({ ...JSON.parse(head), ...change }), jwks)).rejects.toThrow('differs');
  });

  test('refuses a changed head, and one signed with another key', async () => {
    const { head, jwks } = await makeLog();
    const { signature, ...said } = JSON.parse(head);
    const forged = (change: object) => JSON.stringify({ ...said, signature, ...change });
    await expect(parseHead(forged({ sequence: 1 }), null)).rejects.toThrow('differs from its signed content');
    await expect(parseHead(head, '{"keys":[]}')).rejects.toThrow('not signed');
    const broken = `${signature.slice(0, -8)}AAAAAAAA`;
    await expect(parseHead(forged({ signature: broken }), jwks)).rejects.toThrow('not signed');
    const token = await (await openTestApi()).rootToken();
    await expect(parseHead(forged({ signature: token }), null)).rejects.toThrow('not that of a head');
  });
});

describe('the command audit-verify', () => {
  const COMMAND = fileURLToPath(new URL('../src/audit/verify-command.ts', import.meta.url));

  /** Writes the files and runs the command on them. */
  function runOn(files: Readonly<Record<string, string>>) {
    const folder = openFolder('audit-verify');
    onTestFinished(() => folder[Symbol.dispose]());
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
    return (...args: string[]) =>
      new Promise<{ readonly code: unknown; readonly said: string }>((resolve) => {
        const argv = ['--conditions=@access-admin/source', COMMAND, ...args];
        execFile(process.execPath, argv, { cwd: folder.path }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : error.code, said: stdout + stderr }),
        );
      });
  }

  /** A head of the first event, with the signature of another head. */
  function forge(head: string, lines: readonly string[]): string {
    const { hash } = JSON.parse(lines[0] ?? '');
    const content = JSON.stringify({ hash, sequence: 1, tenant: 'default' });
    const [header, , signature] = JSON.parse(head).signature.split('.');
    return JSON.stringify({
      sequence: 1,
      hash,
      signature: `${header}.${Buffer.from(content).toString('base64url')}.${signature}`,
    });
  }

  test('verifies a head with the keys only: without them the result is unverified and the exit code 1', async () => {
    const { text, head, jwks, lines } = await makeLog();
    const cut = `${lines[0]}\n`;
    const run = runOn({ log: text, cut, head, jwks, forged: forge(head, lines), text: 'no JSON' });
    expect(await run('log', '--head', 'head', '--jwks', 'jwks')).toEqual({
      code: 0,
      said: `${EVENTS} events, all as they were recorded.\n`,
    });
    for (const [log, its] of [
      ['log', 'head'],
      ['cut', 'forged'],
    ] as const) {
      const { code, said } = await run(log, '--head', its);
      expect([code, said]).toEqual([1, expect.stringMatching(/^unverified: [\s\S]*--jwks <jwks.json>/)]);
    }
    expect(await run('cut', '--head', 'forged', '--jwks', 'jwks')).toMatchObject({
      code: 1,
      said: expect.stringContaining('is not signed with one of these keys'),
    });
  });

  test('names a broken sequence first, and what is wrong with its files', async () => {
    const { text, head, jwks, edited } = await makeLog();
    const gap = edited((lines) => lines.splice(2, 1));
    const run = runOn({ log: text, gap, head, jwks, text: 'no JSON' });
    expect(await run('gap', '--head', 'head')).toMatchObject({ code: 1, said: expect.stringContaining('sequence 3') });
    expect(await run('gap')).toMatchObject({ code: 1, said: expect.stringContaining('sequence 3') });
    expect(await run('log')).toMatchObject({ code: 0, said: expect.stringContaining('neither a removed end') });
    expect(await run('log', '--head', 'text', '--jwks', 'jwks')).toMatchObject({
      code: 1,
      said: expect.stringContaining('no JSON object in the head'),
    });
    expect(await run('log', '--head', 'head', '--jwks', 'text')).toMatchObject({
      code: 1,
      said: expect.stringContaining('no JSON object in the key set'),
    });
    expect(await run('log', '--jwks', 'jwks')).toMatchObject({ code: 2 });
  });
});
