import { defineTable } from '../definition/define-table.ts';

// The more of a transaction is collected before it is written, the less is merged later. In bytes.
const COLLECTED_MAX = 16 * 1024 * 1024;

// In percent. By default a segment of the index is merged when a tenth of its documents has been replaced, which took nine
// tenths of the time of an import that changes many records. Searches pass over replaced documents.
const REPLACED_MAX = 40;

/** What look-ups search, with the index of each engine that finds an entry by its codes. */
export const searchEntry = defineTable({
  name: 'search_entry',
  columns: {
    tenant: 'text',
    /** As `SEARCH_KINDS` has it. */
    kind: 'integer',
    id: 'text',
    /** Texts are folded; null where the record has none. */
    name: 'text',
    uid: 'text?',
    email: 'text?',
    /** The source of an entitlement, the identity profile of an identity; not folded. */
    parent: 'text?',
  },
  // SQLite numbers the entries as the documents of its index.
  engineColumns: { sqlite: 'number integer not null', postgres: 'codes integer[] not null' },
  key: { sqlite: 'number', postgres: 'tenant, kind, id' },
  indexes: ['create index search_entry_name on search_entry (tenant, kind, name, id)'],
  sqlite: [
    'create unique index search_entry_id on search_entry (tenant, kind, id)',
    // It keeps no text and no places of words: what it finds is compared with the entries.
    `create virtual table search_code using fts5 (codes, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
    `insert into search_code (search_code, rank) values ('hashsize', ${COLLECTED_MAX})`,
    `insert into search_code (search_code, rank) values ('deletemerge', ${REPLACED_MAX})`,
  ],
  postgres: ['create index search_entry_codes on search_entry using gin (codes)'],
});
