import { defineTable } from '../definition/define-table.ts';

// The more of a transaction is collected before it is written, the less is merged later. In bytes.
const COLLECTED_MAX = 16 * 1024 * 1024;

// In percent. By default a segment of an index is merged when a tenth of its documents has been replaced, which took nine
// tenths of the time of an import that changes many records. Searches pass over replaced documents.
const REPLACED_MAX = 40;

// Neither index of SQLite keeps the texts, nor where in a text a word is: what it finds is compared with the entries.
const INDEXES = {
  search_text: {
    columns: 'id, name, uid, email',
    // The spaces mark the beginning of a text, as those of pg_trgm do.
    values: `'  ' || lower(new.id), '  ' || new.name, '  ' || new.uid, '  ' || new.email`,
    hasChanged: 'old.name is not new.name or old.uid is not new.uid or old.email is not new.email',
    options: `detail = column, tokenize = 'trigram case_sensitive 1'`,
  },
  search_word: {
    columns: 'words',
    values: 'new.words',
    hasChanged: 'old.words is not new.words',
    options: `detail = none, tokenize = "ascii tokenchars '-_'"`,
  },
} as const;

/** What look-ups search: folded texts by trigrams, and values that records have, such as access refs, by words. */
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
    /** As `wordOf` makes them, with a space between two. */
    words: 'text',
  },
  // SQLite numbers the entries as the documents of its indexes.
  engineColumns: { sqlite: 'number integer not null' },
  key: { sqlite: 'number', postgres: 'tenant, kind, id' },
  indexes: ['create index search_entry_name on search_entry (tenant, kind, name, id)'],
  sqlite: [
    'create unique index search_entry_id on search_entry (tenant, kind, id)',
    ...Object.entries(INDEXES).flatMap(([index, { columns, values, hasChanged, options }]) => {
      const put = `insert or replace into ${index} (rowid, ${columns}) values (new.number, ${values});`;
      return [
        `create virtual table ${index} using fts5 (${columns}, content = '', contentless_delete = 1, ${options})`,
        `insert into ${index} (${index}, rank) values ('hashsize', ${COLLECTED_MAX})`,
        `insert into ${index} (${index}, rank) values ('deletemerge', ${REPLACED_MAX})`,
        `create trigger ${index}_added after insert on search_entry begin ${put} end`,
        `create trigger ${index}_changed after update on search_entry when ${hasChanged} begin ${put} end`,
        `create trigger ${index}_removed after delete on search_entry begin
          delete from ${index} where rowid = old.number; end`,
      ];
    }),
  ],
  postgres: [
    `create index search_entry_text on search_entry
      using gin (lower(id) gin_trgm_ops, name gin_trgm_ops, uid gin_trgm_ops, email gin_trgm_ops)`,
    `create index search_entry_words on search_entry using gin (string_to_array(words, ' '))`,
  ],
});
