import { fillSearchIndex } from '../search/fill.ts';
import { postgresSearchIndex } from '../search/postgres.ts';
import { sqliteSearchIndex } from '../search/sqlite.ts';
import { type Columns, createTable, type Engine, type MigrationStep } from './columns.ts';

/** What look-ups search. The engines add what finds an entry by its codes. */
export const LOOK_UP_TABLES = {
  search_entry: {
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
} as const satisfies Readonly<Record<string, Columns>>;

const SQLITE_COLUMNS = { number: 'integer', ...LOOK_UP_TABLES.search_entry } as const;
const POSTGRES_ARRAY = 'codes integer[] not null';

// The more of a transaction is collected before it is written, the less is merged later. In bytes.
const COLLECTED_MAX = 16 * 1024 * 1024;

/** Adds what look-ups search, with the entries of the present records. */
export const lookUpSteps = (engine: Engine): readonly MigrationStep[] => [
  ...(engine === 'sqlite' ? SQLITE_TABLES : POSTGRES_TABLES),
  (db) => fillSearchIndex(db, engine === 'sqlite' ? sqliteSearchIndex : postgresSearchIndex),
  'create index search_entry_name on search_entry (tenant, kind, name, id)',
  ...(engine === 'sqlite' ? [] : ['create index search_entry_codes on search_entry using gin (codes)']),
  // The planner of PostgreSQL knows nothing of a table that was just filled.
  ...(engine === 'sqlite' ? [] : ['analyze search_entry']),
  `create index sod_violation_identity_present on sod_violation (tenant, identity_id, status) where closed is null`,
];

const SQLITE_TABLES: readonly string[] = [
  createTable('sqlite', 'search_entry', [SQLITE_COLUMNS, 'primary key (number)', 'unique (tenant, kind, id)']),
  // It keeps no text and no places of words: what it finds is compared with the entries.
  `create virtual table search_code using fts5 (codes, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
  `insert into search_code (search_code, rank) values ('hashsize', ${COLLECTED_MAX})`,
];

const POSTGRES_TABLES: readonly string[] = [
  createTable('postgres', 'search_entry', [
    LOOK_UP_TABLES.search_entry,
    POSTGRES_ARRAY,
    'primary key (tenant, kind, id)',
  ]),
];
