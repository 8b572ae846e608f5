import pg from 'pg';
import type { ArisingWork } from '../changed-tenants.ts';
import { createListeners } from '../listeners.ts';
import { lineOf, type Scope } from '../scope.ts';
import { isStatementTimeout } from './errors.ts';
import { type BucketSum, compareSums, createKnownVersions, type LineVersion } from './known-versions.ts';
import { findLayout, type Layout } from './layout.ts';
import type { PostgresLimits } from './limits.ts';
import { createNodePolls, nodeTimeoutsOf } from './node-polls.ts';
import { createSessions, type OwnConnection, type PostgresConnections, type Sessions } from './pool.ts';
import { showPresence } from './presence.ts';
import { queryOn } from './query.ts';

/** The tenants that others may have changed, or all of them. */
export type Changed = readonly string[] | 'all';

export interface PostgresCommitSignal {
  /** Sent with notifications, so that this process ignores its own. */
  readonly id: string;
  /** Calls back after each commit with what may arise from it, null where that is not known, and once a second in any case. */
  subscribe(listener: (arising: ArisingWork | null) => void): () => void;
  /** This process has committed what changes no cached read. */
  notify(arising: ArisingWork | null): void;
  /** This process has committed a change of cached reads. */
  changed(scope: Scope, version: number): void;
  /** Whether a recent poll has found everything committed of the tenant until then. */
  isFresh(tenant: string): boolean;
  /** Whether the node that has the rows of the tenant does not answer. */
  isAway(tenant: string): boolean;
  /** The pieces of each table that are on nodes that do not answer; 0 on one server. */
  countUnreachableShards(): number;
  close(): Promise<void>;
}

interface SignalDeps {
  /** Of this process alone. */
  readonly id: string;
  readonly connections: PostgresConnections;
  /** That of the database when this process started. */
  readonly layout: Layout;
  readonly limits: PostgresLimits;
  now(): number;
  onChange(changed: Changed): void;
  /** The connections that all tenants share; of a distributed database. */
  readonly sessions?: Sessions;
  /** Something was committed in a tenant, from which work may arise. */
  onWork?(tenant: string, work: ArisingWork): void;
}

/**
 * Learns of changed tenants by notifications, and four times a second by a poll, since notifications can be lost. It uses a
 * connection of its own, which shows that this process uses the database, and replaces it when it breaks or does not respond.
 */
export function createPostgresCommitSignal({
  id,
  connections,
  layout,
  limits,
  now,
  onChange,
  sessions = createSessions([]),
  onWork,
}: SignalDeps): PostgresCommitSignal {
  const { subscribe, callAll, clear } = createListeners<ArisingWork | null>();
  const versions = createKnownVersions();
  const wakeup = createWakeup();
  let isClosed = false;
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  let notifiedMs = now();

  let shared = 0;

  const notify = (arising: ArisingWork | null) => {
    if (arising === null) notifiedMs = now();
    callAll(arising);
  };
  /** Whether the version was not known. */
  const learn = (found: LineVersion): boolean => {
    if (!versions.learn(found)) return false;
    onChange([found.tenant]);
    onWork?.(found.tenant, 'any');
    return true;
  };
  const hear = (payload = '') => {
    const found = readAnnouncement(payload);
    if (found === null) wakeup.wake();
    else if ('arising' in found) {
      const { arising, tenant, sender } = found;
      if (sender === id) return;
      if (tenant !== undefined && arising !== null) onWork?.(tenant, arising);
      notify(arising);
    } else if (learn(found)) notify('any');
  };

  /** Learns all versions anew. */
  const readAll = async (client: pg.Client): Promise<void> => {
    shared = await queryShared(client);
    const found = await queryVersions(client, null);
    versions.forgetAll();
    for (const version of found) versions.learn(version);
    onChange('all');
  };
  /** Learns what was committed before the call; whether that was anything. */
  const poll = async (client: pg.Client): Promise<boolean> => {
    const comparison = compareSums(versions.sums(), await querySums(client));
    // Whoever removes rows changes shared data after it: removed and new versions may have the same sum.
    if (comparison === 'otherDatabase' || (await queryShared(client)) !== shared) {
      await readAll(client);
      return true;
    }
    const { ahead } = comparison;
    const found = ahead.length === 0 ? [] : await queryVersions(client, ahead);
    return found.filter(learn).length > 0;
  };

  const nodes =
    layout === 'oneServer'
      ? null
      : createNodePolls({
          connections,
          limits,
          now,
          learn: (found) => {
            if (found.filter(learn).length > 0) notify('any');
          },
          hasSharedChanged: async (client) => {
            const found = await queryShared(client);
            if (found === shared) return false;
            shared = found;
            versions.forgetAll();
            onChange('all');
            return true;
          },
          sessions,
        });
  /** A poll that fails because of a node is followed by one of the other nodes. */
  const ofNodes = async (client: pg.Client, read: () => Promise<boolean>): Promise<boolean> => {
    const startedMs = now();
    try {
      const hasChanged = await within(nodes === null ? limits.pollResponseMs : 2 * limits.pollNodesMs, read());
      nodes?.succeeded();
      freshUntilMs = startedMs + limits.freshMs;
      return hasChanged;
    } catch (error) {
      if (nodes === null) throw error;
      // The coordinator still waits for the node then. Another connection finds out which one that is.
      if (error instanceof NoResponse || isStatementTimeout(error)) throw new NodeSilent();
      // The coordinator ends a connection with what is worse than an error.
      if (!(error instanceof pg.DatabaseError) || error.severity !== 'ERROR') throw error;
      await within(limits.pollResponseMs, nodes.failed(client));
      return false;
    }
  };

  const follow = async (client: pg.Client, connect: OwnConnection['connect']): Promise<void> => {
    client.on('notification', ({ payload }) => hear(payload));
    client.on('error', wakeup.wake);
    await within(limits.pollResponseMs, connect());
    await within(limits.pollResponseMs, beThere(client, layout));
    await within(limits.pollResponseMs, client.query(`listen ${CHANNEL}`));
    if (nodes !== null) await within(limits.pollResponseMs, client.query(nodeTimeoutsOf(limits.pollNodesMs)));
    // Results cached before the first poll may precede a change that no later poll finds.
    let isRead = false;
    const read = async () => {
      if (isRead) return poll(client);
      await readAll(client);
      isRead = true;
      return false;
    };
    for (let isWoken = false; !isClosed; isWoken = await wakeup.wait(limits.pollEveryMs)) {
      const hasChanged = await ofNodes(client, read);
      if (isWoken || hasChanged || now() - notifiedMs >= limits.notifyEveryMs) notify(null);
    }
  };

  const run = async () => {
    while (!isClosed) {
      const { client, connect, cut } = connections.openClient();
      await follow(client, connect).catch((error) => {
        // The other connections are as old and probably dead too.
        if (error instanceof NoResponse) connections.cut();
        if (error instanceof NodeSilent) cut();
      });
      await within(limits.pollResponseMs, client.end()).catch(() => {});
      // Commits may have been missed meanwhile.
      notifiedMs = Number.NEGATIVE_INFINITY;
      await wakeup.wait(limits.reconnectMs);
    }
  };
  const ended = run();

  return {
    id,
    subscribe,
    notify,
    changed: (scope, version) => {
      if (typeof scope === 'string') {
        onChange('all');
        wakeup.wake();
      } else learn({ tenant: scope.tenant, line: lineOf(scope), version });
      notify('any');
    },
    isFresh: (tenant) => now() < freshUntilMs || (nodes?.isFresh(tenant) ?? false),
    isAway: (tenant) => nodes?.isAway(tenant) ?? false,
    countUnreachableShards: () => nodes?.countUnreachableShards() ?? 0,
    close: async () => {
      freshUntilMs = Number.NEGATIVE_INFINITY;
      clear();
      isClosed = true;
      wakeup.wake();
      await Promise.all([ended, nodes?.close()]);
    },
  };
}

const UNCACHED = 'uncached';

/** A change that changes no cached read: of checks, of a register, or of reports. */
interface Uncached {
  /** Null where another version of the service says it otherwise. */
  readonly arising: ArisingWork | null;
  /** Where the change is of one tenant, and the database is distributed. */
  readonly tenant?: string | undefined;
  /** The process that need not hear it, since it has told itself. */
  readonly sender?: string | undefined;
}

/** The payload that tells other processes of a change that changes no cached read. */
export const uncachedOf = (arising: ArisingWork, tenant?: string, sender?: string): string =>
  [UNCACHED, arising, tenant, sender].filter((part) => part !== undefined).join(' ');

const WORK: readonly string[] = ['checks', 'events', 'register', 'any'] satisfies readonly ArisingWork[];
const isArisingWork = (text: string): text is ArisingWork => WORK.includes(text);

/** The channel of notifications. A service has its own database. */
export const CHANNEL = 'access_admin';

/** The payload that tells other processes of a change of cached reads. What has no tenant makes them poll. */
export const announcementOf = (scope: Scope, version: number): string =>
  typeof scope === 'string' ? scope : JSON.stringify([scope.tenant, lineOf(scope), version]);

/** Null for everything else, which makes this process poll. */
function readAnnouncement(payload: string): LineVersion | Uncached | null {
  if (payload.startsWith(UNCACHED)) {
    const [, arising = '', tenant, sender] = payload.split(' ');
    return isArisingWork(arising) ? { arising, tenant, sender } : { arising: null };
  }
  if (!payload.startsWith('[')) return null;
  const values = valuesOf(payload);
  const [tenant, line, version]: unknown[] = Array.isArray(values) ? values : [];
  if (typeof tenant !== 'string' || typeof line !== 'string' || typeof version !== 'number') return null;
  return { tenant, line, version };
}

/** Null for what is not JSON: any program with access to the database may send it. */
function valuesOf(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}

/** Rejects while the layout of the database is changed, and after it: this process has the statements of the one before. */
async function beThere(client: pg.Client, layout: Layout): Promise<void> {
  const query = queryOn(client);
  if (!(await showPresence(query)) || (await findLayout(query)) !== layout)
    throw new Error('The layout of the database has changed.');
}

// Rows of version 0 are of lines that no cached read depends on.
const SUMS = `
  select bucket, sum(version)::bigint as sum, count(*) as lines from tenant_change where version > 0 group by bucket`;
const VERSIONS = `
  select tenant, line, version from tenant_change
  where version > 0 and ($1::integer[] is null or bucket = any($1::integer[]))`;

const querySums = async (client: pg.Client): Promise<readonly BucketSum[]> =>
  (await client.query<BucketSum>({ name: 'sums of versions', text: SUMS })).rows;

/** The versions of these buckets, or of all. */
const queryVersions = async (client: pg.Client, buckets: readonly number[] | null): Promise<readonly LineVersion[]> =>
  (await client.query<LineVersion>({ name: 'versions', text: VERSIONS, values: [buckets] })).rows;

const queryShared = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ version: number }>('select version from shared_change where id = 1');
  return rows[0]?.version ?? 0;
};

/** Waits that a call of `wake` ends early, also a call before the wait. */
function createWakeup() {
  let isWoken = false;
  let endWait = () => {};
  const wake = () => {
    isWoken = true;
    endWait();
  };
  return {
    wake,
    /** Resolves with whether `wake` was called. */
    wait: async (ms: number): Promise<boolean> => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
  };
}

class NoResponse extends Error {}
class NodeSilent extends Error {}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoResponse()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
