import { basename } from 'node:path';
import { keysOf } from '@access-admin/domain';
import { CommandFailure } from '../output/failure.ts';
import type { Conversion } from './conversion.ts';
import { CSV_COLUMNS, type CsvFiles, type CsvTable } from './csv.ts';
import { type Mapping, plainName } from './mapping.ts';
import { readHeadings, type TableColumns } from './read-table.ts';
import { SAP_COLUMNS, SAP_LOOKALIKES, type SapFiles } from './sap.ts';

type Columns<T extends string> = Readonly<Record<T, TableColumns>>;
type Finding = Pick<Conversion, 'mapping' | 'signal' | 'delimiter' | 'encoding' | 'faults' | 'format'>;

/** The table of each file: by the mapping, else by headings that one table alone has. Throws a `CommandFailure` that names the others. */
export async function findSapTables(files: readonly string[], finding: Finding): Promise<SapFiles> {
  return findTables(files, SAP_COLUMNS, finding, async (path, mapping) => {
    const found: { table: keyof typeof SAP_COLUMNS; columns: number }[] = [];
    for (const table of keysOf(SAP_COLUMNS)) {
      const columns = SAP_COLUMNS[table];
      const reading = {
        ...finding,
        onProgress: undefined,
        uses: null,
        columns,
        format: 'sap' as const,
        mapping: mapping.get(table),
      };
      if ((await readHeadings(path, reading)) !== null) found.push({ table, columns: columns.required.length });
    }
    if (found.length === 0) await refuseLookalikes(path, finding);
    const most = Math.max(...found.map(({ columns }) => columns));
    return found.filter(({ columns }) => columns === most).map(({ table }) => table);
  });
}

async function refuseLookalikes(path: string, finding: Finding): Promise<void> {
  for (const { name, columns: required, advice } of SAP_LOOKALIKES) {
    const aliases = Object.fromEntries(required.map((column) => [column, [column]]));
    const columns = { required, aliases, others: 'unused' as const };
    const reading = {
      ...finding,
      mapping: undefined,
      onProgress: undefined,
      uses: null,
      columns,
      format: 'sap' as const,
    };
    if ((await readHeadings(path, reading)) !== null)
      throw new CommandFailure(`${path}:1:1: seems to be ${name}, which is not read: ${advice}`);
  }
}

/** As `findSapTables`, for tables of people, entitlements, assignments and roles; a file by itself is of people with what they hold. */
export async function findCsvTables(files: readonly string[], finding: Finding): Promise<CsvFiles> {
  const [first] = files;
  if (
    files.length === 1 &&
    first !== undefined &&
    ![...finding.mapping.values()].some(({ file }) => file !== undefined)
  )
    return { people: first };
  return findTables(files, CSV_COLUMNS, finding, async (path, mapping) => {
    const reading = {
      ...finding,
      mapping: undefined,
      onProgress: undefined,
      uses: null,
      columns: CSV_COLUMNS.assignments,
    };
    const headings = new Set(((await readHeadings(path, reading)) ?? []).map(plainName));
    const mapped = keysOf(CSV_COLUMNS).filter((table) => {
      const named = Object.values(mapping.get(table)?.columns ?? {});
      return named.length > 0 && named.every((heading) => headings.has(plainName(heading)));
    });
    if (mapped.length > 0) return mapped;
    const has = (names: readonly string[] = []) => names.some((name) => headings.has(name));
    const users = has(CSV_COLUMNS.assignments.aliases['user']?.filter((name) => name !== 'id'));
    const roles = has(['role', 'roleid', 'rolle']);
    const access = has(CSV_COLUMNS.roles.aliases['access']);
    if (users) return [access || roles ? 'assignments' : 'users'] satisfies CsvTable[];
    if (access) return [roles ? 'roles' : 'entitlements'] satisfies CsvTable[];
    return [];
  });
}

async function findTables<T extends string>(
  files: readonly string[],
  columns: Columns<T>,
  { mapping }: Finding,
  tablesOf: (path: string, mapping: Mapping) => Promise<readonly T[]>,
): Promise<Partial<Record<T, string>>> {
  const found: Partial<Record<T, string>> = {};
  const isFile = (path: string, file: string | undefined) =>
    file !== undefined && (file === path || basename(path) === file);
  for (const path of files) {
    const named = keysOf(columns).filter((table) => isFile(path, mapping.get(table)?.file));
    const tables = named.length > 0 ? named : await tablesOf(path, mapping);
    const [table] = tables;
    if (table === undefined || tables.length > 1)
      throw new CommandFailure(
        `${path}:1:1: its headings do not say which table it is${tables.length > 1 ? ` of ${tables.join(', ')}` : ''}: in a mapping (--map), \`file\` of a table names it: ${keysOf(columns).join(', ')}`,
      );
    if (found[table] !== undefined) throw new CommandFailure(`${found[table]} and ${path} are both the table ${table}`);
    found[table] = path;
  }
  return found;
}
