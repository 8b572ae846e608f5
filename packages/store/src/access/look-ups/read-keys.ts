import { foldText } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { examine } from '../../query/examine.ts';
import { compare, compileFilter } from '../../query/filter.ts';
import { after, allOf, orderOf, type Position, positionOf } from '../../query/order.ts';
import { candidatesOf } from '../search/candidates.ts';
import { SEARCH_KINDS } from '../search/entry.ts';
import { fieldsOf, indexTestsOf, type Searched } from './conditions.ts';
import type { LookUpLimits } from './limits.ts';
import { type LookUpKey, type LookUpQuery, lookUpKeysOf } from './query.ts';

/** What look-ups need of a database, and how much they read. */
export interface Searches extends Reads {
  readonly limits: LookUpLimits;
}

/** The values by which a match is sorted. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
}

/** Matches in their order, and the position after which the next ones begin; null at the end. */
export interface FoundKeys {
  readonly rows: readonly KeyRow[];
  readonly next: Position | null;
}

/** A list to read. */
export interface Reading extends Searched {
  readonly query: LookUpQuery;
}

interface Part {
  readonly after: Position | null;
  readonly limit: number;
  /** Whether the index has shown before that it has too many candidates. */
  readonly isWithoutIndex?: boolean;
}

/** Where fewer than one in so many rows matches, the index is asked. */
const RARE = 100;
/**
 * Reads matches in bounded time, whatever the conditions leave: by examining rows in their order, or, where few match, by an
 * index. There may be fewer than asked for and a next position.
 */
export async function readKeys(searches: Searches, reading: Reading, part: Part): Promise<FoundKeys> {
  const { conditions } = reading.query;
  const keys = lookUpKeysOf(reading.query);
  if (conditions.length === 0 || conditions.some(({ field }) => field === 'id'))
    return readDirectly(searches, reading, part);
  const sample = await examinePart(searches, reading, { ...part, count: searches.limits.sampled });
  if (sample.last === null || sample.rows.length > part.limit) return keysOf(sample.rows, keys, part.limit);
  if (part.isWithoutIndex !== true && sample.rows.length * RARE < searches.limits.sampled) {
    const gathered = await gather(searches, reading, part);
    if (gathered !== null) return gathered;
  }
  const found = [...sample.rows];
  let position: Position = sample.last;
  for (const count of searches.limits.examined) {
    const more = await examinePart(searches, reading, { after: position, limit: part.limit - found.length, count });
    found.push(...more.rows);
    if (more.last === null || found.length > part.limit) return keysOf(found, keys, part.limit);
    position = more.last;
  }
  return { rows: found, next: position };
}

function keysOf(found: readonly KeyRow[], keys: readonly LookUpKey[], limit: number): FoundKeys {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? positionOf({ ...last }, keys) : null };
}

const ofKind = ({ tenant, table }: Searched): RawBuilder<boolean> =>
  sql`tenant = ${tenant} and kind = ${sql.lit(SEARCH_KINDS[table])}`;

/** All entries of a kind in their order, or those with some ids. */
async function readDirectly({ read }: Searches, reading: Reading, part: Part): Promise<FoundKeys> {
  const keys = lookUpKeysOf(reading.query);
  const matches = compileFilter({ ...fieldsOf(reading, 'search_entry'), id: 'id' }, reading.query.conditions);
  const position = part.after === null ? [] : [after(keys, part.after)];
  const { rows } = await read((db) =>
    sql<KeyRow>`select id, name from search_entry where ${allOf([ofKind(reading), matches, ...position])}
      order by ${orderOf(keys)} limit ${part.limit + 1}`.execute(db),
  );
  return keysOf(rows, keys, part.limit);
}

function examinePart({ read }: Searches, reading: Reading, part: Part & { readonly count: number }) {
  const { conditions } = reading.query;
  const keys = lookUpKeysOf(reading.query);
  // The index of the order can leave only the names with a prefix.
  const prefix = conditions.find(({ field, operator }) => field === 'name' && operator === 'sw');
  const isBound = keys[0]?.column === 'name' && prefix !== undefined;
  const bound = isBound ? [compare(sql.ref('name'), { operator: 'sw', values: prefix.values.map(foldText) })] : [];
  const rest = compileFilter(fieldsOf(reading, 'search_entry'), conditions);
  const scan = { table: 'search_entry', columns: sql`id, name`, keys, range: allOf([ofKind(reading), ...bound]) };
  return read((db) => examine<KeyRow>(db, { ...scan, rest }, { ...part, limit: part.limit + 1 }));
}

/** Finds the matches by an index; null where it has too many candidates, or none helps. */
async function gather({ read, limits }: Searches, reading: Reading, part: Part): Promise<FoundKeys | null> {
  const { conditions } = reading.query;
  const tests = indexTestsOf(reading.table, conditions);
  if (tests === null) return null;
  const keys = lookUpKeysOf(reading.query);
  const rest = compileFilter(fieldsOf(reading, 'candidate'), conditions);
  const position = part.after === null ? allOf([]) : after(keys, part.after);
  const columns = sql.join(['id', 'name', 'uid', 'email', 'parent'].map((column) => sql.ref(`search_entry.${column}`)));
  const { rows } = await read((db) => {
    const { source, condition } = candidatesOf(db, tests);
    return sql<{ readonly candidates: number } & { readonly [K in keyof KeyRow]: string | null }>`
      with candidate as materialized (
        select ${columns} from ${source} where ${condition} and ${ofKind(reading)} limit ${limits.gathered + 1}
      )
      select counted.candidates, page.id, page.name from (select count(*) as candidates from candidate) as counted
      left join (
        select id, name from candidate where ${rest} and ${position} order by ${orderOf(keys)} limit ${part.limit + 1}
      ) as page on 1 = 1
      order by ${orderOf(keys)}`.execute(db);
  });
  if (Number(rows[0]?.candidates) > limits.gathered) return null;
  const found = rows.flatMap(({ id, name }) => (id === null || name === null ? [] : [{ id, name }]));
  return keysOf(found, keys, part.limit);
}
