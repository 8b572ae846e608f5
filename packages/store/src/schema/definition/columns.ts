/** The type of a column's values by the name of its type; `?` allows null. */
interface ColumnTypes {
  text: string;
  'text?': string | null;
  integer: number;
  'integer?': number | null;
  bigint: number;
  'bigint?': number | null;
  real: number;
  bytes: Uint8Array;
}

/** The columns of a table in their order. */
export type Columns = Readonly<Record<string, keyof ColumnTypes>>;

/** The rows of a table with these columns, as Kysely's interface of it. */
export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: ColumnTypes[C[Name]] };
