import { IMPORT_BODY_BYTES_MAX } from '@access-admin/contract';
import { RECORD_KINDS, type RecordKind } from '@access-admin/domain';
import { readLines } from '../files/read-lines.ts';
import { jsonErrorPlace, reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';

/** Records that are imported in one request. */
export interface ImportChunk {
  readonly text: string;
  readonly records: number;
  readonly bytes: number;
  /** Where the line of a request, from 1, is in the files. */
  readonly placeOf: (line: number) => string;
}

/** What the files of an import contain. */
export interface ImportContent {
  readonly bytes: number;
  readonly records: number;
  /** The kinds of the records that are upserted. */
  readonly kinds: ReadonlySet<RecordKind>;
  /** Whether every record comes after what it may refer to, and none is deleted. */
  readonly isOrdered: boolean;
  /** The names of the upserted records by kind, as `nameOf` has them; only with `keepsIds`. */
  readonly ids: ReadonlyMap<RecordKind, ReadonlySet<string>>;
}

/** What reading the files of an import needs. */
export interface ImportReading {
  readonly files: readonly string[];
  readonly signal: AbortSignal;
}

const KIND = /^\s*\{\s*"kind"\s*:\s*"(\w+)"/;
const DELETES = /"delete"\s*:\s*true/;

/** What tells a record from the others of its kind: an account has the id of its source, too. */
export const nameOf = ({
  kind,
  source,
  id,
}: {
  readonly kind: unknown;
  readonly source?: unknown;
  readonly id: unknown;
}): string => (kind === 'account' ? `${source} ${id}` : String(id));

/** Reads the files of an import once, to find out what they contain. Throws a `CommandFailure` that names a faulty line. */
export async function surveyImport({ files, signal }: ImportReading, keepsIds: boolean): Promise<ImportContent> {
  const kinds = new Set<RecordKind>();
  const ids = new Map<RecordKind, Set<string>>();
  let bytes = 0;
  let records = 0;
  let isOrdered = true;
  let rank = 0;
  for await (const { text, kind, isDeletion, file, line } of recordsOf({ files, signal })) {
    bytes += Buffer.byteLength(text) + 1;
    records++;
    const own = RECORD_KINDS.indexOf(kind);
    if (own < rank || isDeletion) isOrdered = false;
    rank = own;
    if (isDeletion) continue;
    kinds.add(kind);
    if (!keepsIds) continue;
    const known = ids.get(kind) ?? new Set();
    known.add(nameOf(Object(parseLine(text, file, line))));
    ids.set(kind, known);
  }
  return { bytes, records, kinds, isOrdered, ids };
}

/**
 * Splits the files of an import into requests of at most 16 MiB. What fits into one request stays as it is, as one request is all or
 * nothing. Otherwise records come after what they refer to, whatever their order in the files, and deletions last.
 */
export async function* splitImport(reading: ImportReading, content: ImportContent): AsyncGenerator<ImportChunk> {
  const chunks = createChunks(reading.files);
  const isWhole = content.bytes <= IMPORT_BODY_BYTES_MAX;
  const passes: readonly ((record: ImportLine) => boolean)[] =
    isWhole || content.isOrdered
      ? [() => true]
      : [
          ...RECORD_KINDS.filter((kind) => content.kinds.has(kind)).map(
            (kind) => (record: ImportLine) => record.kind === kind && !record.isDeletion,
          ),
          ...RECORD_KINDS.toReversed().map((kind) => (record: ImportLine) => record.kind === kind && record.isDeletion),
        ];
  for (const isOfPass of passes) {
    for await (const record of recordsOf(reading)) {
      if (!isOfPass(record)) continue;
      const full = chunks.add(record);
      if (full !== null) yield full;
    }
  }
  const last = chunks.take();
  if (last !== null) yield last;
}

interface ImportLine {
  readonly text: string;
  readonly kind: RecordKind;
  readonly isDeletion: boolean;
  readonly file: string;
  readonly line: number;
}

async function* recordsOf({ files, signal }: ImportReading): AsyncGenerator<ImportLine> {
  for (const file of files) {
    for await (const { lines, first } of readLines(file, signal)) {
      for (const [index, text] of lines.entries()) {
        if (text.trim() === '') continue;
        const line = first + index;
        const isDeletion = text.includes('"delete"') && DELETES.test(text);
        yield { text, kind: kindOf(text, file, line), isDeletion, file, line };
      }
    }
  }
}

function kindOf(text: string, file: string, line: number): RecordKind {
  const [, quick] = KIND.exec(text) ?? [];
  const kind = quick ?? Object(parseLine(text, file, line)).kind;
  const known = RECORD_KINDS.find((each) => each === kind);
  if (known === undefined) throw new CommandFailure(`${file}:${line}:1: kind: must be ${RECORD_KINDS.join(', ')}`);
  return known;
}

function parseLine(text: string, file: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, column] = jsonErrorPlace(text, error).split(':');
    throw new CommandFailure(`${file}:${line}:${column}: not JSON: ${reasonOf(error)}`);
  }
}

function createChunks(files: readonly string[]) {
  let lines: string[] = [];
  let places: number[] = [];
  let bytes = 0;
  const take = (): ImportChunk | null => {
    if (lines.length === 0) return null;
    const of = places;
    const placeOf = (line: number) => `${files[of[line * 2 - 2] ?? 0]}:${of[line * 2 - 1] ?? 0}`;
    const chunk = { text: lines.join('\n'), records: lines.length, bytes, placeOf };
    lines = [];
    places = [];
    bytes = 0;
    return chunk;
  };
  return {
    take,
    /** Adds a record; returns the chunk that was full without it. */
    add: ({ text, file, line }: ImportLine): ImportChunk | null => {
      const length = Buffer.byteLength(text) + 1;
      const full = bytes + length > IMPORT_BODY_BYTES_MAX ? take() : null;
      lines.push(text);
      places.push(files.indexOf(file), line);
      bytes += length;
      return full;
    },
  };
}
