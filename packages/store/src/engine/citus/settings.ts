import type { Layout } from './layout.ts';

/** Settings of a session by name. */
export type Settings = Readonly<Record<string, string | number>>;

/** By default Citus waits half a minute for a node that does not answer. */
export const NODE_TIMEOUT: Settings = { 'citus.node_connection_timeout': 2000 };

/**
 * With one connection to each node for a connection to the coordinator, a transaction has one snapshot on each node. What
 * `set local` says holds there too.
 */
const OF_SESSIONS: Settings = {
  ...NODE_TIMEOUT,
  'citus.max_adaptive_executor_pool_size': 1,
  'citus.propagate_set_commands': 'local',
};

/** Triggers work within one shard each. The changes of a migration share a connection to each node, as foreign keys need. */
const OF_MIGRATIONS: Settings = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.multi_shard_modify_mode': 'sequential',
};

export const sessionSettingsOf = (layout: Layout): Settings => (layout === 'distributed' ? OF_SESSIONS : {});

export const migrationSettingsOf = (layout: Layout): Settings => (layout === 'distributed' ? OF_MIGRATIONS : {});

/**
 * A call that waits for a node is answered within five seconds. The connection is ended before the coordinator ends the statement: the
 * end of a transaction would wait for the node once more.
 */
export const limitsOf = (layout: Layout) => (layout === 'distributed' ? { statementMs: 4_500, responseMs: 4_000 } : {});
