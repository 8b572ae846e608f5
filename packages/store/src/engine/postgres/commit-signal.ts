import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type Commit, SOME_COMMIT } from '../commits.ts';
import { createListeners } from '../listeners.ts';
import type { Scope } from '../scope.ts';
import type { CachedTenants, Versions } from './cached-tenants.ts';
import { CHANNEL, parseMessage } from './commit-message.ts';
import type { PostgresLimits } from './limits.ts';
import type { PostgresConnections } from './pool.ts';

export interface PostgresCommitSignal {
  /** Sent with notifications, so that this process ignores its own. */
  readonly id: string;
  /** Calls back after each commit that is known, and once a second in any case. */
  subscribe(listener: (commit: Commit) => void): () => void;
  /** This process has committed what changes no cached read. */
  notify(commit: Commit): void;
  /** This process has committed a change of cached reads. */
  changed(scope: Scope): void;
  close(): Promise<void>;
}

interface SignalDeps {
  /** Of this process alone. */
  readonly id: string;
  readonly connections: PostgresConnections;
  readonly limits: PostgresLimits;
  readonly cachedTenants: CachedTenants;
  now(): number;
  /** Receives errors that may mean that other connections are dead too. */
  reportLostConnection(error: unknown): void;
}

/**
 * Learns of commits by notifications. Since notifications can be lost, four times a second it reads the versions of the tenants that
 * are in memory. It uses a connection of its own, and replaces it when it breaks or does not respond.
 */
export function createPostgresCommitSignal({
  id,
  connections,
  limits,
  cachedTenants,
  now,
  reportLostConnection,
}: SignalDeps): PostgresCommitSignal {
  const { subscribe, callAll, clear } = createListeners();
  const closing = new AbortController();
  const { signal } = closing;
  const ticking = setInterval(() => callAll(SOME_COMMIT), limits.notifyEveryMs);

  const forget = (tenant: string | null) => {
    if (tenant === null) cachedTenants.forgetAll();
    else cachedTenants.forget(tenant);
  };
  const hear = (payload = '') => {
    const { commit, changesCaches, sender } = parseMessage(payload);
    if (sender === id) return;
    if (changesCaches) forget(commit.tenant);
    callAll(commit);
  };
  const pause = (ms: number) => setTimeout(ms, undefined, { signal }).catch(() => {});

  const follow = async (client: pg.Client, connect: () => Promise<void>): Promise<void> => {
    client.on('notification', ({ payload }) => hear(payload));
    await connect();
    await client.query(`listen ${CHANNEL}`);
    // Notifications before that are lost.
    cachedTenants.forgetAll();
    callAll(SOME_COMMIT);
    while (!signal.aborted) {
      const startedMs = now();
      const versions = await queryVersions(client, cachedTenants.names()).catch(nullIfOfStatement);
      if (versions !== null) cachedTenants.compare(versions, startedMs);
      await pause(limits.pollEveryMs);
    }
  };
  const run = async () => {
    while (!signal.aborted) {
      const { client, connect, cut } = connections.openClient();
      signal.addEventListener('abort', cut);
      await follow(client, connect).catch(reportLostConnection);
      signal.removeEventListener('abort', cut);
      cut();
      await pause(limits.reconnectMs);
    }
  };
  const ended = run();

  return {
    id,
    subscribe,
    notify: callAll,
    changed: (scope) => {
      const tenant = typeof scope === 'string' ? null : scope.tenant;
      forget(tenant);
      callAll({ tenant, arising: 'any' });
    },
    close: async () => {
      cachedTenants.forgetAll();
      clear();
      clearInterval(ticking);
      closing.abort();
      await ended;
    },
  };
}

// A version only grows, so their sum changes if and only if one of them does.
const VERSIONS = `
  select tenant, sum(version)::bigint as version from tenant_change where tenant = any($1::text[]) group by tenant`;

async function queryVersions(client: pg.Client, tenants: readonly string[]): Promise<Versions> {
  const { rows: shared } = await client.query<{ version: number }>('select version from shared_change where id = 1');
  const { rows } =
    tenants.length === 0
      ? { rows: [] }
      : await client.query<{ tenant: string; version: number }>({
          name: 'versions',
          text: VERSIONS,
          values: [tenants],
        });
  return {
    ofTenants: new Map(rows.map(({ tenant, version }) => [tenant, version])),
    shared: shared[0]?.version ?? 0,
  };
}

/** Throws unless the connection can be used after the error. What is in memory is not used until a poll succeeds. */
function nullIfOfStatement(error: unknown): null {
  if (error instanceof pg.DatabaseError && error.severity === 'ERROR') return null;
  throw error;
}
