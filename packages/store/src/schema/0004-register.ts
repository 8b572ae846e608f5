import { type Columns, createTable, type Engine } from './columns.ts';

/** The tables of the register of violations, as `TABLES` describes the others. */
export const REGISTER_TABLES = {
  /**
   * The violations of a tenant. Ended ones stay as they were when they ended. What a round changes that is too large for one
   * transaction is staged as further rows, which replace the rows before when the round is concluded.
   */
  sod_violation: {
    tenant: 'text',
    /** A UUID of version 7, so that rows are appended to its index. */
    id: 'text',
    /** Readers see the row once this round is concluded. 0 for a row that was not staged. */
    from_round: 'bigint',
    /** Readers do not see the row any more once this round is concluded; null for a row that none replaces. */
    until_round: 'bigint?',
    identity_id: 'text',
    policy_id: 'text',
    /** `Open` or `Mitigated`; of an ended one `Remediated` or `Closed`. */
    status: 'text',
    /** 1 for low to 4 for critical. */
    level_rank: 'integer',
    created: 'text',
    modified: 'text',
    /** Null while it lasts. */
    closed: 'text?',
    owner_id: 'text?',
    /** The covering exception and its end; null for none. */
    exception_id: 'text?',
    expiration: 'text?',
    policy_name: 'text',
    /** The display name of the identity; its id where it has none. */
    target_name: 'text',
    /** JSON: `conflictingCriteria` as answers show them. */
    criteria: 'text',
  },
  /** The state of the data that a tenant's register has. */
  register_head: {
    tenant: 'text',
    /** Grows with each claim. A worker whose claim has another one writes nothing. */
    fence: 'integer',
    /** 0, or when the lease of the claim ends. */
    lease_end_ms: 'bigint',
    identity_revision: 'bigint',
    policy_set_version: 'integer',
    change_id: 'text?',
    /** The instant that the register was evaluated for last; empty before the first filling. */
    as_of: 'text',
    /** The next instant at which time alone changes it; null for none. */
    next_due: 'text?',
    /** The exceptions that end up to here, by end and id, have been told to be expired. */
    expired_end: 'text',
    expired_id: 'text',
    /** When everything is to be compared with a fresh evaluation. */
    compare_due: 'text',
    /** The identities at `as_of`. */
    identities: 'bigint',
    /** When the last full comparison was, and how many violations it had to correct. */
    compared: 'text?',
    corrected: 'bigint',
    /** The last staged round that was concluded: the fence of its claim. */
    round: 'bigint',
    /** 1 while something is left to do after a round, or after one that was not concluded. */
    is_unsettled: 'integer',
    /** The latest instant at which a reader found that the register has the present data; empty for none. */
    confirmed: 'text',
  },
  /** The batches of a round that is staged. A batch is removed when it is settled: without one, readers see every row. */
  register_staged: {
    tenant: 'text',
    round: 'bigint',
    number: 'integer',
    /** JSON, see `StagedContent`. */
    content: 'text',
    /** JSON, see `RegisterCounts`. */
    counts: 'text',
    /** The first instant at which time alone changes one of its identities; null for none. */
    first_due: 'text?',
  },
  /** The policies that the register knows, as of its last round. */
  register_policy: {
    tenant: 'text',
    policy_id: 'text',
    name: 'text',
    level_rank: 'integer',
    /** A hash of the criteria; empty for a policy that is not enforced, `?` before its first round is over. */
    terms: 'text',
    open: 'bigint',
    mitigated: 'bigint',
    /** When the oldest of its present violations was created, and its id; null when it has none. */
    oldest: 'text?',
    oldest_id: 'text?',
  },
  /** The present violations by level. */
  register_level: {
    tenant: 'text',
    level_rank: 'integer',
    open: 'bigint',
    mitigated: 'bigint',
  },
  /** UTC days with changes. */
  register_day: {
    tenant: 'text',
    /** `2026-11-22`. */
    day: 'text',
    opened: 'bigint',
    ended: 'bigint',
    /** The violations present after the last change of the day, mitigated ones included. */
    open: 'bigint',
  },
  /** The next instant at which time alone may change the violations of an identity. */
  register_due: {
    tenant: 'text',
    identity_id: 'text',
    due: 'text',
  },
  /** Deleted identities that the register has not taken in yet, by the revision of their deletion. */
  identity_deletion: {
    tenant: 'text',
    revision: 'bigint',
    identity_id: 'text',
  },
} as const satisfies Readonly<Record<string, Columns>>;

/** Columns that the register adds to earlier tables. */
export const REGISTER_COLUMNS = {
  tenant: {
    /** How many identities the tenant has. */
    identity_count: 'bigint',
    /** 1 when data have changed that the register may not have. */
    is_register_behind: 'integer',
  },
  sod_policy: {
    /** The identity that owns new violations of the policy. */
    owner_id: 'text?',
  },
} as const satisfies Readonly<Record<string, Columns>>;

const KEYS: Readonly<Record<keyof typeof REGISTER_TABLES, string>> = {
  sod_violation: 'tenant, id, from_round',
  register_head: 'tenant',
  register_staged: 'tenant, round, number',
  register_policy: 'tenant, policy_id',
  register_level: 'tenant, level_rank',
  register_day: 'tenant, day',
  register_due: 'tenant, identity_id',
  identity_deletion: 'tenant, revision, identity_id',
};

const ADDITIONS: readonly string[] = [
  'alter table tenant add column identity_count bigint not null default 0',
  'update tenant set identity_count = (select count(*) from identity where identity.tenant = tenant.tenant)',
  // Every register is empty at first.
  'alter table tenant add column is_register_behind integer not null default 1',
];

// New rows are appended to most of these: they begin with values that few or the latest rows have.
const INDEXES: readonly string[] = [
  'create index sod_violation_created on sod_violation (tenant, created, id)',
  'create index sod_violation_modified on sod_violation (tenant, modified, id)',
  'create index sod_violation_level on sod_violation (tenant, level_rank, created, id)',
  'create index sod_violation_status on sod_violation (tenant, status, created, id)',
  'create index sod_violation_policy on sod_violation (tenant, policy_id, created, id)',
  'create index sod_violation_policy_name on sod_violation (tenant, policy_name, created, id)',
  'create index sod_violation_owner on sod_violation (tenant, owner_id, created, id) where owner_id is not null',
  'create index sod_violation_closed on sod_violation (tenant, closed, id) where closed is not null',
  'create index sod_violation_target_name on sod_violation (tenant, target_name)',
  // Of all violations of an identity, and of the present ones in the order of a comparison.
  'create index sod_violation_identity on sod_violation (tenant, identity_id, policy_id)',
  'create index sod_violation_present on sod_violation (tenant, policy_id, identity_id) where closed is null',
  'create index tenant_register_behind on tenant (tenant) where is_register_behind = 1',
  'create index register_head_next_due on register_head (next_due) where next_due is not null',
  'create index register_head_compare_due on register_head (compare_due)',
  'create index register_head_as_of on register_head (as_of)',
  'create index register_head_unsettled on register_head (tenant) where is_unsettled = 1',
  'create index register_policy_open on register_policy (tenant, open, policy_id) where open > 0 or mitigated > 0',
  'create index sod_exception_ends on sod_exception (tenant, ends, id)',
  'create index register_due_instant on register_due (tenant, due)',
];

/** Adds the register. */
export function registerStatements(engine: Engine): readonly string[] {
  const text = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const tables = Object.entries(REGISTER_TABLES).map(([name, columns]) =>
    createTable(engine, name, [columns, `primary key (${KEYS[name as keyof typeof KEYS]})`]),
  );
  const owner = `alter table sod_policy add column owner_id ${text}`;
  return [...tables, ...ADDITIONS, owner, ...INDEXES];
}

/** The columns that a later migration, 0012-rulebook-changes, adds by table. */
export const RULEBOOK_CHANGE_COLUMNS = {
  rulebook_change: {
    /** JSON, see `CatalogueChange`; null when only policies changed, or very much. */
    catalogue: 'text?',
  },
} as const satisfies Readonly<Record<string, Columns>>;

/** Adds the changed records of the catalogue to the log of changes. */
export const rulebookChangeStatements = (engine: Engine): readonly string[] => [
  `alter table rulebook_change add column catalogue ${engine === 'sqlite' ? 'text' : 'text collate "C"'}`,
];

/** The columns that a later migration, 0015-register-revision, adds by table. */
export const REGISTER_REVISION_COLUMNS = {
  register_head: {
    /** Grows with each write of the counts. */
    revision: 'bigint',
  },
} as const satisfies Readonly<Record<string, Columns>>;

/** Lets readers keep what they have read of the counts. */
export const registerRevision: readonly string[] = [
  'alter table register_head add column revision bigint not null default 0',
];

/** Parts of names are found without case, by indexes of the names as `lower` writes them: it changes the letters of ASCII. */
export const registerNamesWithoutCase: readonly string[] = [
  'drop index sod_violation_policy_name',
  'create index sod_violation_policy_name on sod_violation (tenant, lower(policy_name), created, id)',
  'drop index sod_violation_target_name',
  'create index sod_violation_target_name on sod_violation (tenant, lower(target_name))',
];

/**
 * Keeps one index of identities, which also counts the present violations that readers see, instead of two: each one is an entry to write with
 * every violation. The index that orders the policies of a summary has all that it shows: their rows are often changed, and
 * spread over many pages.
 */
export const narrowRegister: readonly string[] = [
  'drop index sod_violation_identity_present',
  'drop index sod_violation_identity',
  'create index sod_violation_identity on sod_violation (tenant, identity_id, status, policy_id, from_round, until_round)',
  'drop index register_policy_open',
  `create index register_policy_open on register_policy (tenant, open, policy_id, name, mitigated, oldest)
    where open > 0 or mitigated > 0`,
];
