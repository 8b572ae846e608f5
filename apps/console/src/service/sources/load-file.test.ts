import type { SourceLoad, SourceLoads } from '@access-admin/client';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { commandFor, FileFault, findOtherKind, partsOf, sendFile } from './load-file.ts';

const ACCOUNT = '{"kind":"account","id":"1"}\n';

test.each([
  ['JSON lines', ACCOUNT, null],
  ['JSON lines with a mark of order and blank lines', `\uFEFF\n\n${ACCOUNT}`, null],
  ['an empty file', ' \n', 'EMPTY'],
  ['CSV', 'Benutzer;Rolle\nasharma;Z_AP', 'CSV'],
  ['a workbook', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'XLSX'],
  ['text in UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0]), 'UTF16'],
  ['another binary file', new Uint8Array([0x61, 0, 0x61]), 'BINARY'],
  ['a directory', '# extended LDIF\n#\ndn: uid=a,dc=example', 'LDIF'],
  ['a list of Entra', '{"@odata.context":"x","value":[]}', 'GRAPH'],
  ['a response of SCIM', '{"schemas":["urn:ietf:params:scim:api:messages:2.0:ListResponse"]}', 'SCIM'],
  ['people of Okta', '[{"id":"00u","profile":{}}]', 'OKTA'],
  ['people of Okta over several lines', '[\n  {\n "id": "00u",\n "profile": {}\n}]', 'OKTA'],
  ['records over several lines', '{\n  "kind": "account"\n}', 'JSON'],
  ['a list of records', '[{"kind":"account","id":"1"}]', 'JSON'],
  ['other JSON', '{"people":[]}', 'JSON'],
  ['a record that speaks of a directory', '{"kind":"account","id":"1","attributes":{"userPrincipalName":"a"}}', null],
  ['a record whose kind comes late', `{"id":"${'1'.repeat(70_000)}","kind":"account"}\n`, null],
] as const)('%s is told by its first bytes', async (_, content, kind) => {
  expect(await findOtherKind(new Blob([content]))).toBe(kind);
});

test('the parts of a file are its lines, in order, none of them cut', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', maxLength: 6 })), fc.boolean(), async (words, isEnded) => {
      const lines = words.map((word) => word.replaceAll(/[\n\uFEFF]/g, '-'));
      const text = lines.join('\n') + (isEnded ? '\n' : '');
      const parts = await Array.fromAsync(
        partsOf(new Blob([text]), 64 + Math.max(...lines.map((line) => line.length * 4), 0)),
      );
      expect(parts.map((part) => part.text).join('')).toBe(text);
      expect(parts.at(-1)?.end ?? 0).toBe(new Blob([text]).size);
      let before = '';
      for (const part of parts) {
        expect(part.firstLine).toBe(before.split('\n').length);
        expect(before === '' || before.endsWith('\n')).toBe(true);
        before += part.text;
      }
    }),
  ));

test('a file that cannot be sent is told with the line', async () => {
  const all = (content: BlobPart, bytes?: number) => Array.fromAsync(partsOf(new Blob([content]), bytes));
  await expect(all(`a\n${'b'.repeat(20)}\n`, 8)).rejects.toEqual(new FileFault('LINE_TOO_LONG', 2));
  await expect(all(new Uint8Array([0x61, 0x0a, 0xff, 0x0a]), 2)).rejects.toEqual(new FileFault('NOT_UTF8', 2));
  await expect(all('\n'.repeat(1001), 1)).rejects.toEqual(new FileFault('TOO_LARGE', 1001));
});

const FILE = { source: 'erp', file: new Blob([ACCOUNT]), mode: 'FULL', dryRun: true, confirmDeletes: null } as const;

/** A service whose load is in a state when it is asked for. */
function serviceOf(sourceLoads: Partial<SourceLoads> = {}, state: SourceLoad['state'] = 'OPEN') {
  const load = { loadId: 'l-1', state } as SourceLoad;
  return {
    sourceLoads: {
      create: vi.fn(async () => load),
      putPart: vi.fn(async () => {}),
      commit: vi.fn(async () => load),
      get: vi.fn(async () => load),
      cancel: vi.fn(async () => {}),
      ...sourceLoads,
    },
  };
}

const sending = () => ({ signal: new AbortController().signal, onSent: vi.fn() });

test('a file is sent, committed, and its lines are told', async () => {
  const service = serviceOf();
  const turn = sending();
  const { loadId, lineOf } = await sendFile(service, { ...FILE, confirmDeletes: 12 }, turn);
  expect([loadId, lineOf(1, 3)]).toEqual(['l-1', 3]);
  expect(service.sourceLoads.create).toHaveBeenCalledWith(
    'erp',
    { mode: 'FULL', dryRun: true },
    { signal: turn.signal },
  );
  expect(service.sourceLoads.putPart).toHaveBeenCalledWith('erp', 'l-1', 1, ACCOUNT, expect.anything());
  expect(service.sourceLoads.commit).toHaveBeenCalledWith('erp', 'l-1', { confirmDeletes: 12 });
  expect(turn.onSent).toHaveBeenCalledExactlyOnceWith(ACCOUNT.length);
  expect(service.sourceLoads.cancel).not.toHaveBeenCalled();
});

test('a load that cannot be sent, or is stopped, is cancelled', async () => {
  const fault = new Error('refused');
  const refused = serviceOf({ putPart: () => Promise.reject(fault) });
  await expect(sendFile(refused, FILE, sending())).rejects.toBe(fault);
  expect(refused.sourceLoads.cancel).toHaveBeenCalledWith('erp', 'l-1');

  const stop = new AbortController();
  const stopped = serviceOf();
  await expect(sendFile(stopped, FILE, { signal: stop.signal, onSent: () => stop.abort() })).rejects.toThrow();
  expect(stopped.sourceLoads.commit).not.toHaveBeenCalled();
  expect(stopped.sourceLoads.cancel).toHaveBeenCalledWith('erp', 'l-1');
});

test('a load whose commit was taken without an answer goes on', async () => {
  const service = serviceOf({ commit: () => Promise.reject(new Error('lost')) }, 'RUNNING');
  expect((await sendFile(service, FILE, sending())).loadId).toBe('l-1');
  expect(service.sourceLoads.cancel).not.toHaveBeenCalled();
});

test('the command has the source and the file as words of a shell', () => {
  expect(commandFor('erp', 'csv', 'people.csv')).toBe('access-admin load erp --from csv people.csv --dry-run');
  expect(commandFor('erp', 'xlsx', "-Müller's people.xlsx")).toBe(
    String.raw`access-admin load erp --from xlsx './-Müller'\''s people.xlsx' --dry-run`,
  );
});
