import { keysOf } from '@access-admin/domain';
import * as v from 'valibot';
import { readText } from '../files/read-text.ts';
import { CommandFailure, calledWrongly } from '../output/failure.ts';
import { parseYaml } from '../rulebook/parse.ts';
import type { DateOrder } from './dates.ts';

/** What a mapping says of one table, or of one kind of record. */
export interface TableMapping {
  /** Known names to headings or fields. */
  readonly columns: Readonly<Record<string, string>>;
  /** Names of attributes to headings or fields. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Headings or fields that are not to be used. */
  readonly ignore: readonly string[];
  /** Known names to what separates the values of a cell; empty where a cell has one value. */
  readonly separator: Readonly<Record<string, string>>;
  /** For known names, what values stand for. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly file?: string;
  readonly sheet?: string;
  readonly dates?: DateOrder;
  /** Whether ids that differ in case alone are the same. */
  readonly case?: 'same' | 'distinct';
}

/** The mappings of several tables, by the names of the tables. */
export type Mapping = ReadonlyMap<string, TableMapping>;

/** The mapping of a table that none speaks of. */
export const NO_MAPPING: TableMapping = { columns: {}, attributes: {}, ignore: [], separator: {}, values: {} };

const scalar = v.union([v.string(), v.pipe(v.number(), v.transform(String)), v.pipe(v.boolean(), v.transform(String))]);
const texts = v.record(v.string(), scalar);
const SETTINGS = {
  attributes: v.optional(texts, {}),
  ignore: v.optional(v.array(scalar), []),
  separator: v.optional(v.union([v.string(), v.record(v.string(), v.string())]), {}),
  values: v.optional(v.record(v.string(), texts), {}),
  file: v.exactOptional(v.string()),
  sheet: v.exactOptional(v.string()),
  dates: v.exactOptional(v.picklist(['DMY', 'MDY'])),
  case: v.exactOptional(v.picklist(['same', 'distinct'])),
};
const tableSchema = v.objectWithRest(SETTINGS, scalar);
const mappingSchema = v.record(v.string(), v.unknown());

/** The tables that a mapping may speak of, each with the names that it knows. */
export type KnownTables = Readonly<Record<string, readonly string[]>>;

/**
 * Reads a mapping file (YAML): what the headings of each table mean, by the names of the tables, or without them for the main table.
 * Throws a `CommandFailure` that names the line, and what is known.
 */
export function readMapping(path: string, tables: KnownTables, main: string): Mapping {
  const { document, lines } = parseYaml(readText(path));
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new CommandFailure(`${path}:${line}:${col}: ${fault.message}`);
  }
  const content = v.safeParse(mappingSchema, document.toJS() ?? {});
  if (!content.success) throw new CommandFailure(`${path}:1:1: must name the columns of tables: ${described(tables)}`);
  const tableNamed = (name: string) => keysOf(tables).find((table) => plainName(table) === plainName(name));
  const given = Object.entries(content.output);
  const isByTable =
    given.length > 0 && given.every(([name, value]) => isTable(value) && tableNamed(name) !== undefined);
  const unknown = isByTable
    ? undefined
    : given.find(([name, value]) => isTable(value) && !Object.hasOwn(SETTINGS, name));
  if (unknown !== undefined)
    throw calledWrongly(`${path}: there is no table ${unknown[0]}; there are ${described(tables)}`);
  const byTable = isByTable ? given : [[main, content.output] as const];
  return new Map(
    byTable.map(([name, value]) => {
      const table = tableNamed(name) ?? main;
      return [table, tableMapping(value, { path, table, known: tables[table] ?? [] })];
    }),
  );
}

const isTable = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const described = (tables: KnownTables): string =>
  Object.entries(tables)
    .map(([table, columns]) => `${table}: ${columns.join(', ')}`)
    .join('; ');

interface TablePlace {
  readonly path: string;
  readonly table: string;
  readonly known: readonly string[];
}

function tableMapping(value: unknown, { path, table, known }: TablePlace): TableMapping {
  const parsed = v.safeParse(tableSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new CommandFailure(`${path}: ${table}.${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  }
  const { attributes, ignore, separator, values, file, sheet, dates, case: cases, ...columns } = parsed.output;
  const separators = typeof separator === 'string' ? { access: separator } : separator;
  const named = [...keysOf(columns), ...keysOf(separators), ...keysOf(values)];
  const unknown = named.find((column) => !known.includes(column));
  if (unknown !== undefined) throw calledWrongly(`${path}: ${table} has no ${unknown}; there are ${known.join(', ')}`);
  return {
    columns,
    attributes,
    ignore,
    separator: separators,
    values,
    ...(file === undefined ? {} : { file }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(dates === undefined ? {} : { dates }),
    ...(cases === undefined ? {} : { case: cases }),
  };
}

/** A heading without case, accents, spaces and punctuation. */
export const plainName = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
