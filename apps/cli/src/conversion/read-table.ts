import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { readBeginningBytes } from '../files/read-beginning.ts';
import { reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Position } from '../output/problem.ts';
import type { Faults } from './report.ts';

/** The columns of a table, by the names that the conversion knows. */
export interface TableColumns {
  /** For each known name the headings that mean it, in lower case without anything but letters and digits. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  readonly required: readonly string[];
  /** Headings that the user has mapped to known names. */
  readonly mapped?: Readonly<Record<string, string>>;
}

/** A row of a table. */
export interface TableRow {
  readonly at: Position;
  /** The value of a known column, trimmed; empty without it. */
  get(column: string): string;
  /** The values of the columns that are not known, by their headings; without empty ones. */
  others(): Readonly<Record<string, string>>;
}

/** What reading a table needs. */
export interface TableReading {
  readonly columns: TableColumns;
  readonly faults: Faults;
  readonly signal: AbortSignal;
  readonly onProgress?: (bytes: number) => void;
  /** Found from the heading if left out. */
  readonly delimiter?: string;
  /** Found from the bytes if left out. */
  readonly encoding?: string;
}

// The rows of a piece are in memory together: few of them are, and die young.
const PIECE_BYTES = 16 * 1024;

/**
 * Reads the rows of a delimited file, some at a time: any of comma, semicolon, tab and bar, with or without a byte order mark, UTF-8,
 * UTF-16 or Latin-1, quoted by RFC 4180. Rows with another number of fields than the heading become faults. Throws a
 * `CommandFailure` without the heading, or where a required column is missing.
 */
export async function* readTable(path: string, reading: TableReading): AsyncGenerator<readonly TableRow[]> {
  const { columns, faults } = reading;
  const sample = readBeginningBytes(path);
  const encoding = reading.encoding ?? encodingOf(sample);
  const delimiter = reading.delimiter ?? delimiterOf(decoderOf(path, encoding).decode(sample, { stream: true }));
  let rows: TableRow[] = [];
  let heading: Heading | null = null;
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    // A quote within an unquoted field is a part of it, as in exports of names.
    relax_quotes: true,
    on_record: (record: readonly string[], { lines }) => {
      const at = { file: path, line: lines, column: 1 };
      if (heading === null) heading = readHeading(record, { path, columns });
      else if (record.length !== heading.names.length)
        faults.add({ at, text: `${record.length} fields, the heading has ${heading.names.length}` });
      else rows.push(createRow(record, heading, at));
      // Nothing is to go through the stream: that would take more time and memory than the parser.
      return null;
    },
  });
  parser.on('error', () => {});
  try {
    for await (const text of textsOf(path, { ...reading, encoding })) {
      parser.write(text);
      if (parser.errored !== null) throw parser.errored;
      yield rows;
      rows = [];
    }
    parser.end();
    await finished(parser, { readable: false });
    yield rows;
  } catch (error) {
    if (error instanceof CommandFailure || reading.signal.aborted) throw error;
    if (error instanceof CsvError) throw new CommandFailure(`${path}:${Object(error).lines ?? 1}:1: ${error.message}`);
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
  if (heading === null) throw new CommandFailure(`${path}:1:1: there is no heading`);
}

async function* textsOf(
  path: string,
  { encoding, signal, onProgress }: Pick<TableReading, 'signal' | 'onProgress'> & { readonly encoding: string },
): AsyncGenerator<string> {
  const decoder = decoderOf(path, encoding);
  let bytes = 0;
  let lines = 1;
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    let text: string;
    try {
      text = decoder.decode(piece, { stream: true });
    } catch {
      throw new CommandFailure(
        `${path}:${lines}:1: not ${encoding} here or in one of the next lines: give --encoding latin1`,
      );
    }
    bytes += piece.length;
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines++;
    onProgress?.(bytes);
    yield text;
  }
  yield decoder.decode();
}

interface Heading {
  readonly names: readonly string[];
  /** The place of each known column. */
  readonly places: ReadonlyMap<string, number>;
  /** The places of the other columns. */
  readonly others: readonly number[];
}

function readHeading(
  names: readonly string[],
  { path, columns }: { readonly path: string; readonly columns: TableColumns },
): Heading {
  const { aliases, required, mapped = {} } = columns;
  const places = new Map<string, number>();
  for (const [known, heading] of Object.entries(mapped)) {
    const place = names.findIndex((name) => plainName(name) === plainName(heading));
    if (place === -1)
      throw new CommandFailure(`${path}:1:1: the mapping names the column ${heading}; there are ${names.join(', ')}`);
    places.set(known, place);
  }
  for (const [known, headings] of Object.entries(aliases)) {
    if (places.has(known)) continue;
    const taken = new Set(places.values());
    const place = headings
      .map((heading) => names.findIndex((name, at) => plainName(name) === heading && !taken.has(at)))
      .find((at) => at !== -1);
    if (place !== undefined) places.set(known, place);
  }
  const missing = required.filter((known) => !places.has(known));
  if (missing.length > 0) {
    const known = missing.map((column) => `${column} (also ${(aliases[column] ?? []).slice(0, 6).join(', ')})`);
    throw new CommandFailure(
      `${path}:1:1: no column for ${known.join('; ')}; there are ${names.join(', ')}. A mapping (--map) names them.`,
    );
  }
  const taken = new Set(places.values());
  return { names, places, others: names.flatMap((_, at) => (taken.has(at) ? [] : [at])) };
}

function createRow(record: readonly string[], { names, places, others }: Heading, at: Position): TableRow {
  return {
    at,
    get: (column) => {
      const place = places.get(column);
      return place === undefined ? '' : (record[place] ?? '');
    },
    others: () =>
      Object.fromEntries(others.flatMap((place) => (record[place] ? [[names[place] ?? '', record[place]]] : []))),
  };
}

/** A heading without case, accents, spaces and punctuation. */
export const plainName = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The encoding by the byte order mark, else UTF-8 where the bytes are, else Latin-1 as Windows has it. */
function encodingOf(sample: Buffer): string {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function decoderOf(path: string, encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new CommandFailure(`${path}: ${encoding} is not an encoding that is known: utf-8, latin1, utf-16le`);
  }
}

/** The delimiter that the heading has most often outside of quotes. */
function delimiterOf(text: string): string {
  const [heading = ''] = text.split(/\r?\n/, 1);
  const bare = heading.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}
