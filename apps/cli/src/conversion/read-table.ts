import { readFileSync, statSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import readSheets, { type CellValue, readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import { readBeginningBytes } from '../files/read-beginning.ts';
import { decoderOf, readDecoded } from '../files/read-decoded.ts';
import { reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Position } from '../output/problem.ts';
import { encodingOf, expectFormat, type Format, kindOf } from './kinds.ts';
import { NO_MAPPING, plainName, type TableMapping } from './mapping.ts';
import type { Faults } from './report.ts';
import { withShownValues } from './shown-values.ts';
import { createWatch, type Uses } from './uses.ts';

/** The columns of a table, by the names that the conversion knows. */
export interface TableColumns {
  /** For each known name the headings that mean it, in lower case without anything but letters and digits. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  readonly required: readonly string[];
  /** What some of these headings say beside, such as of what type access is, unless a mapping names the column. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Columns of which a list has at least one; left out where the required ones tell the table from others. */
  readonly oneOf?: readonly string[];
  /** Whether other columns become attributes. */
  readonly others: 'attributes' | 'unused';
  /** Headings that are known to say nothing of access. */
  readonly unused?: readonly string[];
}

/** A row of a table. */
export interface TableRow {
  readonly at: Position;
  /** The value of a known column, trimmed; empty without it. */
  get(column: string): string;
  /** The values of a column, of one or more of which a cell may be made. Null where a cell may have several, and none says what is between them. */
  list(column: string): readonly string[] | null;
  /** What the heading of a column says beside; undefined for nothing. */
  meaning(column: string): string | undefined;
  /** The values of the columns that become attributes, by their headings or mapped names; without empty ones. */
  attributes(): Readonly<Record<string, string>>;
}

/** What reading a table needs. */
export interface TableReading {
  readonly columns: TableColumns;
  /** CSV if left out; `sap` also takes what is around the rows of a list. */
  readonly format?: Format;
  readonly mapping?: TableMapping | undefined;
  readonly faults: Faults;
  /** Receives the columns that should have been recognised; `faults` if left out. */
  readonly columnFaults?: Faults | undefined;
  /** Receives what became of each column; null where it was told before. */
  readonly uses: Uses | null;
  readonly signal: AbortSignal;
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Found from the heading if left out. */
  readonly delimiter?: string | undefined;
  /** Found from the bytes if left out. */
  readonly encoding?: string | undefined;
  /** Takes which encoding was guessed. */
  readonly onNote?: (text: string) => void;
}

type Cells = readonly string[];

/** A line of a table, before its heading is known. */
interface Line {
  readonly cells: Cells;
  readonly line: number;
}

/**
 * Reads the rows of a table, some at a time: a delimited file with any of comma, semicolon, tab and bar, any encoding, quoted by RFC
 * 4180, or a sheet of a workbook. Rows with another number of fields than the heading become faults, and so do columns that seem to
 * hold dates or access and are not recognised. Throws a `CommandFailure` without the heading, or where a required column is missing.
 */
export async function* readTable(path: string, reading: TableReading): AsyncGenerator<readonly TableRow[]> {
  const { faults, columnFaults = faults, format = 'csv', uses } = reading;
  const isList = format === 'sap';
  const source = linesOf(path, reading);
  let heading: Heading | null = null;
  // What stands before the heading of a list stands before its other pages too.
  const around = new Set<string>();
  // SE16 draws a line under the heading of a list, and another one at its end.
  let isRuled = false;
  let last: Line | null = null;
  try {
    for await (const lines of source) {
      const rows: TableRow[] = [];
      for (const { cells, line } of lines) {
        const at = { file: path, line, column: 1 };
        const previous = last;
        last = { cells, line };
        if (heading === null) {
          if (isBlank(cells)) continue;
          if (isList && !hasRequired(cells, reading)) around.add(shapeOf(cells));
          else heading = readHeading(cells, at, reading);
          continue;
        }
        isRuled ||= isRule(cells) && previous !== null && heading.isSame(previous.cells);
        if (isList && (isRule(cells) || heading.isSame(cells) || around.has(shapeOf(cells)))) continue;
        if (cells.length !== heading.count)
          faults.add({ at, text: `${cells.length} fields, the heading has ${heading.count}` });
        else {
          const errors = heading.errorsOf(cells);
          for (const text of errors) faults.add({ at, text });
          if (errors.length === 0) rows.push(heading.rowOf(cells, at));
        }
      }
      yield rows;
    }
  } catch (error) {
    if (error instanceof CommandFailure || reading.signal.aborted) throw error;
    if (error instanceof CsvError) throw new CommandFailure(`${path}:${Object(error).lines ?? 1}:1: ${error.message}`);
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
  if (heading === null) {
    const { required, oneOf = [], aliases } = reading.columns;
    const headings = (columns: readonly string[]) =>
      columns.map((column) => (aliases[column] ?? [column])[0]).join(', ');
    const wanted = `${headings(required)}${oneOf.length === 0 ? '' : ` and one of ${headings(oneOf)}`}`;
    throw new CommandFailure(`${path}:1:1: there is no heading${isList ? ` with ${wanted}` : ''}`);
  }
  if (isRuled && last !== null && !isRule(last.cells) && !around.has(shapeOf(last.cells)))
    faults.add({
      at: { file: path, line: last.line, column: 1 },
      text: 'the list ends without its closing line, and seems to be cut off: export it again',
    });
  if (uses !== null) heading.end(columnFaults);
}

/** The headings of a table, or null for a list whose heading no line of the beginning has. */
export async function readHeadings(path: string, reading: TableReading): Promise<readonly string[] | null> {
  const source = linesOf(path, reading);
  let looked = 0;
  for await (const lines of source)
    for (const { cells } of lines) {
      if (isBlank(cells)) continue;
      if (reading.format !== 'sap' || hasRequired(cells, reading)) return cells;
      if (++looked > HEADING_WITHIN) return null;
    }
  return null;
}

const HEADING_WITHIN = 100;

/** Whether no cell has a value: exports of sheets have such lines before their heading. */
const isBlank = (cells: Cells): boolean => cells.every((cell) => cell === '');

/** The lines of a table. Those of SAP may be workbooks. */
function linesOf(path: string, reading: TableReading): AsyncGenerator<readonly Line[]> {
  const { format = 'csv' } = reading;
  const isWorkbook = format === 'xlsx' || (format === 'sap' && kindOf(path).formats.includes('xlsx'));
  return isWorkbook ? readWorkbook(path, reading) : readDelimited(path, reading);
}

async function* readDelimited(path: string, reading: TableReading): AsyncGenerator<readonly Line[]> {
  const { format = 'csv' } = reading;
  expectFormat(path, format);
  const sample = readBeginningBytes(path);
  const encoding = reading.encoding ?? encodingOf(sample);
  if (reading.encoding === undefined && reading.uses !== null && encoding === 'windows-1252')
    reading.onNote?.(`${path}: is not UTF-8, and is read as Latin-1 (windows-1252): --encoding says another`);
  const beginning = decoderOf(path, encoding)
    .decode(sample, { stream: true })
    .replace(/^\ufeff/, '');
  // Excel's own way to say what is between the fields.
  const [told = '', separator] = /^"?sep=(.)"?\r?\n/i.exec(beginning) ?? [];
  const delimiter = reading.delimiter ?? separator ?? delimiterOf(beginning, reading);
  const isBars = format === 'sap' && delimiter === '|';
  let lines: Line[] = [];
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    // A quote within an unquoted field is a part of it, as in exports of names; lists between bars do not quote.
    ...(isBars ? { quote: false as const } : { relax_quotes: true }),
    on_record: (cells: Cells, { lines: line }) => {
      lines.push({ cells, line: line + (told === '' ? 0 : 1) });
      // Nothing is to go through the stream: that would take more time and memory than the parser.
      return null;
    },
  });
  parser.on('error', () => {});
  let toSkip = told.length;
  for await (const text of readDecoded(path, { ...reading, encoding })) {
    const given = text.slice(toSkip);
    toSkip = Math.max(0, toSkip - text.length);
    parser.write(given);
    if (parser.errored !== null) throw parser.errored;
    yield lines;
    lines = [];
  }
  parser.end();
  await finished(parser, { readable: false });
  yield lines;
}

/** A workbook is in memory as a whole: Excel's sheets end at a million rows. */
const WORKBOOK_BYTES_MAX = 128 * 1024 * 1024;

async function* readWorkbook(path: string, { mapping, onProgress }: TableReading): AsyncGenerator<readonly Line[]> {
  expectFormat(path, 'xlsx');
  const bytes = statSync(path).size;
  if (bytes > WORKBOOK_BYTES_MAX) throw new CommandFailure(`${path}: has more than 128 MiB: save its sheet as CSV`);
  const content = new Uint8Array(withShownValues(readFileSync(path))).buffer;
  const options = { parseNumber: (text: string) => text, trim: true };
  try {
    const rows = mapping?.sheet === undefined ? await onlySheet() : await readSheet(content, mapping.sheet, options);
    onProgress?.(bytes);
    yield rows.flatMap((cells: readonly (CellValue | string | null)[], index: number) =>
      cells.every((cell) => cell === null) ? [] : [{ cells: cells.map(cellText), line: index + 1 }],
    );
  } catch (error) {
    if (error instanceof SheetNotFoundError)
      throw new CommandFailure(
        `${path}: has no sheet ${mapping?.sheet}; there are ${Object(error).sheets?.join(', ')}`,
      );
    throw error;
  }

  async function onlySheet() {
    const sheets = (await readSheets(content, options)).filter(({ data }) => data.length > 0);
    if (sheets.length > 1) {
      const names = sheets.map(({ sheet }) => sheet).join(', ');
      throw new CommandFailure(`${path}: has several sheets: ${names}; in a mapping, \`sheet\` names one`);
    }
    return sheets[0]?.data ?? [];
  }
}

function cellText(cell: unknown): string {
  if (!(cell instanceof Date)) return cell === null || cell === undefined ? '' : String(cell).trim();
  // A cell has no time zone.
  const [day = '', time = ''] = cell.toISOString().split('T');
  return time === '00:00:00.000Z' ? day : `${day} ${time.slice(0, 8)}`;
}

interface Heading {
  readonly count: number;
  isSame(cells: Cells): boolean;
  /** What is wrong with cells of columns that are used: errors of a sheet, and formulas. */
  errorsOf(cells: Cells): readonly string[];
  rowOf(cells: Cells, at: Position): TableRow;
  /** Makes faults of columns that should have been recognised. */
  end(faults: Faults): void;
}

/** The places of the columns that a heading has, by known name. */
function placesOf(
  names: Cells,
  { columns, mapping = NO_MAPPING }: Pick<TableReading, 'columns' | 'mapping'>,
): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const plain = names.map(plainName);
  const elsewhere = new Set([...Object.values(mapping.attributes), ...mapping.ignore].map(plainName));
  for (const [known, heading] of Object.entries(mapping.columns)) {
    const place = plain.indexOf(plainName(heading));
    if (place !== -1) places.set(known, place);
  }
  for (const [known, headings] of Object.entries(columns.aliases)) {
    if (places.has(known)) continue;
    const taken = new Set(places.values());
    const place = headings
      .filter((heading) => !elsewhere.has(heading))
      .map((heading) => plain.findIndex((name, at) => name === heading && !taken.has(at)))
      .find((at) => at !== -1);
    if (place !== undefined) places.set(known, place);
  }
  return places;
}

const hasRequired = (cells: Cells, reading: TableReading): boolean => {
  const places = placesOf(cells, reading);
  const { required, oneOf = required } = reading.columns;
  return required.every((column) => places.has(column)) && oneOf.some((column) => places.has(column));
};

function readHeading(names: Cells, at: Position, reading: TableReading): Heading {
  const { columns, mapping = NO_MAPPING, uses, format } = reading;
  const { file } = at;
  const { aliases, required, meanings = {}, others, unused = [] } = columns;
  const plain = names.map(plainName);
  const named = [...Object.values(mapping.columns), ...Object.values(mapping.attributes), ...mapping.ignore];
  const absent = named.filter((heading) => !plain.includes(plainName(heading)));
  if (absent.length > 0)
    throw new CommandFailure(
      `${file}:${at.line}:1: the mapping names the column ${absent.join(', ')}; there are ${names.join(', ')}`,
    );
  const places = placesOf(names, reading);
  const missing = required.filter((known) => !places.has(known));
  if (missing.length > 0) {
    const known = missing.map((column) => `${column} (also ${(aliases[column] ?? []).slice(0, 6).join(', ')})`);
    throw new CommandFailure(
      `${file}:${at.line}:1: no column for ${known.join('; ')}; there are ${names.join(', ')}. A mapping (--map) names them.`,
    );
  }
  const taken = new Map([...places].map(([known, place]) => [place, known]));
  for (const place of taken.keys()) {
    const again = plain.findIndex((name, at) => name === plain[place] && at !== place);
    // Of two columns with the same heading neither a mapping nor we can say which one is meant.
    if (again !== -1)
      throw new CommandFailure(
        `${file}:${at.line}:1: the column ${names[place]} is there twice, as columns ${place + 1} and ${again + 1}: give one of them another heading`,
      );
  }
  const meaningOf = (column: string) =>
    mapping.columns[column] === undefined ? meanings[plain[places.get(column) ?? -1] ?? ''] : undefined;
  const ignored = new Set(mapping.ignore.map(plainName));
  const mappedAttributes = Map.groupBy(Object.keys(mapping.attributes), (name) =>
    plainName(mapping.attributes[name] ?? ''),
  );
  const known = new Set(unused);
  const attributes: (readonly [place: number, name: string])[] = [];
  const watched: (readonly [place: number, name: string])[] = [];
  for (const [place, name] of names.entries()) {
    const column = plain[place] ?? '';
    const use = taken.get(place);
    const mapped = mappedAttributes.get(column) ?? [];
    const shown = name === '' ? `column ${place + 1}` : name;
    // Lists begin and end with a bar.
    if (name === '' && format === 'sap') continue;
    const isIgnored = use === undefined && ignored.has(column);
    if (isIgnored) uses?.add(file, shown, 'ignored');
    else if (use !== undefined || mapped.length > 0) {
      attributes.push(...mapped.map((attribute) => [place, attribute] as const));
      const told = mapped.map((attribute) => `attribute ${attribute}`);
      const meaning = use === undefined ? undefined : meaningOf(use);
      const stated = use === undefined ? [] : [meaning === undefined ? use : `${use} (${meaning})`];
      uses?.add(file, shown, [...stated, ...told].join(', '));
    } else if (known.has(column)) uses?.add(file, shown, 'not used');
    else {
      watched.push([place, shown]);
      if (others === 'attributes' && name !== '') attributes.push([place, attributeName(name)]);
      uses?.add(file, shown, others === 'attributes' && name !== '' ? `attribute ${attributeName(name)}` : 'not used');
    }
  }
  for (const [at, [place, name]] of attributes.entries()) {
    const [other] = attributes.find(([, same], before) => before < at && same === name) ?? [];
    if (other !== undefined)
      throw new CommandFailure(
        `${file}:1:1: the columns ${names[other]} and ${names[place]} are both the attribute ${name}: a mapping (--map) names one of them under attributes or ignore`,
      );
  }
  const used = [
    ...[...taken].map(([place, column]) => ({ place, column })),
    ...attributes.filter(([place]) => !taken.has(place)).map(([place]) => ({ place, column: null })),
  ];
  const watch = uses === null ? null : createWatch({ types: 'access' in aliases });
  return {
    count: names.length,
    isSame: (cells) => cells.length === names.length && cells.every((cell, place) => cell === names[place]),
    errorsOf: (cells) =>
      used.flatMap(({ place, column }) => {
        const text = cells[place] ?? '';
        const error = errorOf(text);
        if (error === null || (column !== null && mapping.values[column]?.[text] !== undefined)) return [];
        const advice =
          column === null
            ? '`ignore` names columns that are not to be used'
            : `\`values: {${column}: {${JSON.stringify(text)}: …}}\` says what it stands for`;
        return [`${names[place]}: ${error}, or in a mapping, ${advice}`];
      }),
    rowOf: (cells, rowAt) => {
      if (watch !== null) for (const [place, name] of watched) watch.see(name, cells[place] ?? '', rowAt);
      const get = (column: string) => {
        const place = places.get(column);
        const value = place === undefined ? '' : (cells[place] ?? '');
        return mapping.values[column]?.[value] ?? value;
      };
      return {
        at: rowAt,
        get,
        list: (column) => listOf(get(column), mapping.separator[column]),
        meaning: meaningOf,
        attributes: () =>
          Object.fromEntries(attributes.flatMap(([place, name]) => (cells[place] ? [[name, cells[place]]] : []))),
      };
    },
    end: (faults) => watch?.end(faults),
  };
}

/** Errors of Excel and LibreOffice, in English and German, and what they write for a column that is too narrow. */
const SHEET_ERROR =
  /^(?:#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|NV|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|GETTING_DATA|WERT!|BEZUG!|ZAHL!|ÜBERLAUF!|KALK!|FELD!)|#{3,}|Err:\d+)$/i;

/** What is wrong with a cell that has an error or a formula, and what to do; null for any other. */
function errorOf(text: string): string | null {
  if (!/^[#=E]/.test(text)) return null;
  if (SHEET_ERROR.test(text)) return `the error ${text}: mend the sheet`;
  return /^=[^=>\s]/.test(text)
    ? `the formula ${text} without its result: save the sheet in a program that works it out`
    : null;
}

function listOf(value: string, separator: string | undefined): readonly string[] | null {
  if (value === '') return [];
  if (separator === undefined) return /[,;|\n]/.test(value) ? null : [value];
  if (separator === '') return [value];
  return value
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** A line of a list that separates others. */
const isRule = (cells: Cells): boolean => cells.every((cell) => /^[-=_+]*$/.test(cell));

/** What the headings of pages have in common: all but numbers. */
const shapeOf = (cells: Cells): string => cells.join('|').replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ');

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter that the heading has most often outside of quotes; of a list that by which its heading has all columns. */
function delimiterOf(text: string, reading: TableReading): string {
  const lines = text.split(/\r?\n/, HEADING_WITHIN);
  if (reading.format === 'sap')
    for (const line of lines) {
      const found = DELIMITERS.find((delimiter) =>
        hasRequired(
          line.split(delimiter).map((cell) => cell.replaceAll('"', '').trim()),
          reading,
        ),
      );
      if (found !== undefined) return found;
    }
  const first = lines.find((line) => /[^\s"',;|]/.test(line)) ?? '';
  const bare = first.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

/** The name of an attribute from a heading: `Cost Centre` becomes `costCentre`. */
export function attributeName(heading: string): string {
  const words = heading
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const [first = 'column', ...rest] = words;
  const name = [
    /^[A-Z]+$/.test(first) ? first.toLowerCase() : first[0]?.toLowerCase() + first.slice(1),
    ...rest.map((word) => word[0]?.toUpperCase() + word.slice(1)),
  ].join('');
  return (/^[A-Za-z]/.test(name) ? name : `a${name}`).slice(0, 64);
}
