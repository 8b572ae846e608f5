import { type RawBuilder, sql } from 'kysely';
import { SEARCH_KINDS, type SearchEntry } from './entry.ts';
import type { SearchIndex } from './index-writes.ts';
import { createRepeatedRows } from './repeated-rows.ts';

interface StoredEntry {
  readonly number: number;
  readonly id: string;
}

const upsertEntries = createRepeatedRows<StoredEntry>(
  (rows) => `insert into search_entry (tenant, kind, id, name, uid, email, parent) values ${rows}
    on conflict (tenant, kind, id) do update set
      name = excluded.name, uid = excluded.uid, email = excluded.email, parent = excluded.parent
    returning number, id`,
  { width: 7, isNumbered: false },
);
const putDocuments = createRepeatedRows((rows) => `insert or replace into search_code (rowid, codes) values ${rows}`, {
  width: 2,
  isNumbered: false,
});

/**
 * The index of SQLite: an FTS5 table with a document for each entry, whose words are its codes. It stores no text, and of
 * each word only the documents that have it.
 */
export const sqliteSearchIndex: SearchIndex = {
  async put(trx, { tenant, table }, entries) {
    if (entries.length === 0) return;
    const kind = SEARCH_KINDS[table];
    const rows = entries.flatMap(({ id, name, uid, email, parent }) => [tenant, kind, id, name, uid, email, parent]);
    const { rows: stored } = await trx.executeQuery(upsertEntries(rows));
    const numbers = new Map(stored.map(({ id, number }) => [id, number]));
    await trx.executeQuery(putDocuments(entries.flatMap((entry) => [numbers.get(entry.id), wordsOf(entry)])));
  },
  async remove(trx, { tenant, table }, ids) {
    if (ids.length === 0) return;
    const entries = sql`search_entry where tenant = ${tenant} and kind = ${SEARCH_KINDS[table]} and id in (${sql.join(ids)})`;
    await sql`delete from search_code where rowid in (select number from ${entries})`.execute(trx);
    await sql`delete from ${entries}`.execute(trx);
  },
  async removeSome(trx, tenant, limit) {
    const some = sql`(select number from search_entry where tenant = ${tenant} order by kind, id limit ${limit})`;
    await sql`delete from search_code where rowid in ${some}`.execute(trx);
    const { numAffectedRows = 0n } =
      await sql`delete from search_entry where tenant = ${tenant} and number in ${some}`.execute(trx);
    return Number(numAffectedRows);
  },
  having(searched) {
    const joined = (codes: readonly number[], by: string) => codes.map((code) => `"${wordOf(code)}"`).join(by);
    const words =
      'any' in searched
        ? joined(searched.any, ' OR ')
        : searched.allOfOne.map((codes) => `(${joined(codes, ' AND ')})`).join(' OR ');
    // The join keeps its order, so that the index is read first and no further than the limit.
    const source: RawBuilder<unknown> = sql`search_code cross join search_entry on search_entry.number = search_code.rowid`;
    return { source, condition: sql<boolean>`search_code match ${words}` };
  },
};

const FIRST_UNIT = 0x80;
const BITS = 11;
const MASK = (1 << BITS) - 1;
const SPACE = 0x20;

/** A code as three letters beyond ASCII, all of which the tokenizer takes as they are. */
function addWord(units: number[], code: number): void {
  units.push(FIRST_UNIT + (code & MASK), FIRST_UNIT + ((code >>> BITS) & MASK), FIRST_UNIT + (code >>> (2 * BITS)));
}

function wordOf(code: number): string {
  const units: number[] = [];
  addWord(units, code);
  return String.fromCharCode(...units);
}

// As many arguments as a call can take anyhow.
const UNITS_AT_ONCE = 10_000;

function wordsOf({ codes }: SearchEntry): string {
  const units: number[] = [];
  for (const code of codes) {
    addWord(units, code);
    units.push(SPACE);
  }
  let words = '';
  for (let start = 0; start < units.length; start += UNITS_AT_ONCE)
    words += String.fromCharCode(...units.slice(start, start + UNITS_AT_ONCE));
  return words;
}
