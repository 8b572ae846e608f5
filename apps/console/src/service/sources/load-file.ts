import type { SourceLoad, SourceLoads } from '@access-admin/client';

/** What a file seems to be that is no JSON lines. */
export type OtherKind = 'EMPTY' | 'UTF16' | 'XLSX' | 'LDIF' | 'GRAPH' | 'SCIM' | 'OKTA' | 'JSON' | 'CSV' | 'BINARY';

/** The formats that the command `access-admin load` takes, of the kinds that it converts. */
export const FORMAT_OF: Readonly<Partial<Record<OtherKind, string>>> = {
  UTF16: 'csv',
  XLSX: 'xlsx',
  LDIF: 'ldif',
  GRAPH: 'graph',
  SCIM: 'scim',
  OKTA: 'okta',
  CSV: 'csv',
};

const HEAD_BYTES = 64 * 1024;
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** What a file seems to be by its first bytes; null for JSON lines with records. */
export async function findOtherKind(file: Blob): Promise<OtherKind | null> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const beginsWith = (mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);
  if (beginsWith(ZIP)) return 'XLSX';
  if (UTF16_MARKS.some(beginsWith)) return 'UTF16';
  if (bytes.includes(0)) return 'BINARY';
  const text = new TextDecoder().decode(bytes).trimStart();
  if (text === '') return 'EMPTY';
  if (/^[[{]/.test(text)) return kindOfJson(text, bytes.length === file.size);
  return /^(version:\s*\d|dn::?\s|#)/i.test(text) ? 'LDIF' : 'CSV';
}

/** The kind of a text in JSON. A first line that is longer than the text may be a record unless something speaks against it. */
function kindOfJson(text: string, isWhole: boolean): OtherKind | null {
  const [line = '', ...others] = text.split('\n', 2);
  const isLineWhole = isWhole || others.length > 0;
  if (isLineWhole ? isRecord(line) : line.startsWith('{"kind"')) return null;
  if (text.includes('"@odata.') || text.includes('"userPrincipalName"')) return 'GRAPH';
  if (text.includes('urn:ietf:params:scim:')) return 'SCIM';
  if (/"profile"\s*:\s*\{/.test(text)) return 'OKTA';
  return isLineWhole ? 'JSON' : null;
}

function isRecord(line: string): boolean {
  try {
    return typeof Object(JSON.parse(line)).kind === 'string';
  } catch {
    return false;
  }
}

/** Less than the service takes as one, so that one sees how far it is. */
const PART_BYTES = 4 * 1024 * 1024;
const PARTS_MAX = 1_000;
/** The longest that the service may take for a part, as for the command. */
const PART_MS = 180_000;
const LINE_FEED = 10;

/** What is wrong with a file, and from which line on. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly fault: 'NOT_UTF8' | 'LINE_TOO_LONG' | 'TOO_LARGE';
  readonly line: number;
  constructor(fault: FileFault['fault'], line: number) {
    super(`${fault} at line ${line}`);
    this.fault = fault;
    this.line = line;
  }
}

interface Part {
  readonly text: string;
  /** The number of its first line in the file, from 1. */
  readonly firstLine: number;
  /** How many bytes of the file are read with it. */
  readonly end: number;
}

/** The file in parts of whole lines. Throws a `FileFault`. */
export async function* partsOf(file: Blob, partBytes: number = PART_BYTES): AsyncGenerator<Part, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let firstLine = 1;
  for (let start = 0, parts = 1; start < file.size; parts++) {
    if (parts > PARTS_MAX) throw new FileFault('TOO_LARGE', firstLine);
    const read = new Uint8Array(await file.slice(start, start + partBytes).arrayBuffer());
    const isLast = start + read.length === file.size;
    const bytes = isLast ? read : read.subarray(0, read.lastIndexOf(LINE_FEED) + 1);
    if (bytes.length === 0) throw new FileFault('LINE_TOO_LONG', firstLine);
    start += bytes.length;
    yield { text: decode(decoder, bytes, firstLine), firstLine, end: start };
    firstLine += bytes.reduce((lines, byte) => lines + Number(byte === LINE_FEED), 0);
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, firstLine: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new FileFault('NOT_UTF8', firstLine);
  }
}

/** A file to load. */
export interface LoadFile {
  readonly source: string;
  readonly file: Blob;
  readonly mode: SourceLoad['mode'];
  readonly dryRun: boolean;
  /** The deletions that somebody has confirmed; null for none. */
  readonly confirmDeletes: number | null;
}

/** A load that was sent. */
export interface SentLoad {
  readonly loadId: string;
  /** The line of the file that a line of a part is, both from 1. */
  readonly lineOf: (part: number, line: number) => number;
}

type Sending = Pick<SourceLoads, 'create' | 'putPart' | 'commit' | 'get' | 'cancel'>;

/**
 * Opens a load, sends the file part by part, and commits it. Where that fails, or is stopped by the signal, the load is cancelled: it
 * would be in the way of others. `onSent` is told how many bytes of the file are sent.
 */
export async function sendFile(
  { sourceLoads: loads }: { readonly sourceLoads: Sending },
  { source, file, mode, dryRun, confirmDeletes }: LoadFile,
  { signal, onSent }: { readonly signal: AbortSignal; readonly onSent: (bytes: number) => void },
): Promise<SentLoad> {
  const { loadId } = await loads.create(source, { mode, dryRun }, { signal });
  const firstLines: number[] = [];
  const lineOf = (part: number, line: number) => (firstLines[part - 1] ?? 1) + line - 1;
  try {
    for await (const { text, firstLine, end } of partsOf(file)) {
      const part = firstLines.push(firstLine);
      await loads.putPart(source, loadId, part, text, { signal, timeoutMs: PART_MS });
      onSent(end);
    }
    signal.throwIfAborted();
    await loads.commit(source, loadId, { confirmDeletes: confirmDeletes ?? undefined });
  } catch (error) {
    if (await isCommitted(loads, source, loadId)) return { loadId, lineOf };
    // An open load ends by itself after a day.
    await loads.cancel(source, loadId).catch(() => {});
    throw error;
  }
  return { loadId, lineOf };
}

/** Whether a load is taken although the answer to its commit was lost. */
const isCommitted = (loads: Sending, source: string, loadId: string): Promise<boolean> =>
  loads.get(source, loadId).then(
    ({ state }) => state !== 'OPEN',
    () => false,
  );

/** The command that converts and loads a file which this page does not take. */
export const commandFor = (source: string, format: string, file: string): string =>
  `access-admin load ${quote(source)} --from ${format} ${quote(file.startsWith('-') ? `./${file}` : file)} --dry-run`;

/** A word of a shell. */
const quote = (word: string): string =>
  /^[\w][\w.:@%+-]*$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
