import type { Columns } from './columns.ts';

export type Engine = 'sqlite' | 'postgres';

/**
 * A table with all that belongs to it. Comments of columns name those that hold JSON text. Times are ISO 8601 in UTC with
 * milliseconds unless the name of the column ends in `_ms`.
 */
export interface Table<Name extends string = string, C extends Columns = Columns> {
  readonly name: Name;
  readonly columns: C;
  /** Columns of one engine alone, as it declares them. Statements of that engine alone use them. */
  readonly engineColumns?: Readonly<Partial<Record<Engine, string>>>;
  /** The columns of the primary key. Rows of tables whose key begins with `tenant` lie with their tenant. */
  readonly key: string | Readonly<Record<Engine, string>>;
  readonly foreignKey?: string;
  /** Whether SQLite stores the rows in the order of their key. */
  readonly isClustered?: boolean;
  /** The statements that create its indexes. */
  readonly indexes?: readonly string[];
  /** Further statements of one engine, such as its triggers. */
  readonly sqlite?: readonly string[];
  readonly postgres?: readonly string[];
}

/** Whether the rows of a table are of a tenant each. */
export const isOfTenants = ({ key }: Pick<Table, 'key'>): boolean =>
  /^tenant\b/.test(typeof key === 'string' ? key : key.postgres);

/** Keeps the types of the columns, from which those of rows follow. */
export const defineTable = <const Name extends string, const C extends Columns>(
  table: Table<Name, C>,
): Table<Name, C> => table;
