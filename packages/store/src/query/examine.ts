import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';
import { after, allOf, columnsOf, orderOf, type Position, positionOf, type SortKey, upTo } from './order.ts';

/** Rows to examine one after the other in an order. */
export interface OrderedScan {
  readonly table: string;
  /** What is read of the rows that meet all conditions. */
  readonly columns: RawBuilder<unknown>;
  readonly keys: readonly SortKey[];
  /** What the index of the order leaves. */
  readonly range: RawBuilder<boolean>;
  readonly rest: RawBuilder<boolean>;
  /** Whether PostgreSQL, which cannot estimate how few rows are between two positions, must not search the whole table for them. */
  readonly isFenced?: boolean;
}

/** The rows of a part of a scan that meet all conditions. */
export interface Examined<Row> {
  readonly rows: readonly Row[];
  /** The position of the last row that was examined; null at the end of the scan. */
  readonly last: Position | null;
}

/** Examines the next `count` rows after a position, or from the start, and reads at most `limit` of those that meet the conditions. */
export async function examine<Row>(
  db: QueryExecutorProvider,
  { table, columns, keys, range, rest, isFenced = false }: OrderedScan,
  part: { readonly after: Position | null; readonly count: number; readonly limit: number },
): Promise<Examined<Row>> {
  const from = part.after === null ? range : allOf([range, after(keys, part.after)]);
  const end = await sql<Readonly<Record<string, string | number>>>`
    select ${columnsOf(keys)} from ${sql.table(table)} where ${from}
    order by ${orderOf(keys)} limit 1 offset ${part.count - 1}`.execute(db);
  const last = end.rows[0] === undefined ? null : positionOf(end.rows[0], keys);
  // A limit makes it take the index of the order. SQLite would read the part to its end.
  const within =
    isFenced && isPostgres(db)
      ? sql`(select * from ${sql.table(table)} where ${from} order by ${orderOf(keys)} limit ${part.count})
          as ${sql.table(table)} where`
      : sql`${sql.table(table)} where ${last === null ? from : allOf([from, upTo(keys, last)])} and`;
  const { rows } = await sql<Row>`
    select ${columns} from ${within} ${rest}
    order by ${orderOf(keys)} limit ${part.limit}`.execute(db);
  return { rows, last };
}
