import pg from 'pg';
import type { ArisingWork } from '../changed-tenants.ts';
import { createListeners } from '../listeners.ts';
import type { Scope } from '../scope.ts';
import type { CachedTenants, Versions } from './cached-tenants.ts';
import type { PostgresLimits } from './limits.ts';
import type { OwnConnection, PostgresConnections } from './pool.ts';

export interface PostgresCommitSignal {
  /** Sent with notifications, so that this process ignores its own. */
  readonly id: string;
  /** Calls back after each commit with what may arise from it, null where that is not known, and once a second in any case. */
  subscribe(listener: (arising: ArisingWork | null) => void): () => void;
  /** This process has committed what changes no cached read. */
  notify(arising: ArisingWork | null): void;
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
  /** Something was committed in a tenant, from which work may arise. */
  onWork?(tenant: string, work: ArisingWork): void;
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
  onWork,
}: SignalDeps): PostgresCommitSignal {
  const { subscribe, callAll, clear } = createListeners<ArisingWork | null>();
  const wakeup = createWakeup();
  let isClosed = false;
  let notifiedMs = now();

  const notify = (arising: ArisingWork | null) => {
    if (arising === null) notifiedMs = now();
    callAll(arising);
  };
  const notifyIfDue = () => {
    if (now() - notifiedMs >= limits.notifyEveryMs) notify(null);
  };
  const hear = (payload = '') => {
    const { what, tenant = '', sender } = parseMessage(payload);
    if (sender === id) return;
    if (what === 'unknown') return wakeup.wake();
    if (what === 'changed') cachedTenants.forget(tenant);
    const arising = what === 'changed' ? 'any' : what;
    if (tenant !== '') onWork?.(tenant, arising);
    notify(arising);
  };

  const poll = async (client: pg.Client): Promise<void> => {
    const startedMs = now();
    cachedTenants.compare(await queryVersions(client, cachedTenants.names()), startedMs);
  };
  const follow = async (client: pg.Client, connect: OwnConnection['connect']): Promise<void> => {
    const inTime = <T>(work: Promise<T>) => within(limits.pollResponseMs, work);
    client.on('notification', ({ payload }) => hear(payload));
    client.on('error', wakeup.wake);
    await inTime(connect());
    await inTime(client.query(`listen ${CHANNEL}`));
    // Notifications before that are lost.
    cachedTenants.forgetAll();
    for (let isWoken = true; !isClosed; isWoken = await wakeup.wait(limits.pollEveryMs)) {
      await inTime(poll(client)).catch(unlessOfStatement);
      if (isWoken) notify(null);
      else notifyIfDue();
    }
  };

  const run = async () => {
    while (!isClosed) {
      const { client, connect } = connections.openClient();
      await follow(client, connect).catch((error) => {
        // The other connections are as old and probably dead too.
        if (error instanceof NoResponse) connections.cut();
      });
      await within(limits.pollResponseMs, client.end()).catch(() => {});
      notifyIfDue();
      await wakeup.wait(limits.reconnectMs);
    }
  };
  const ended = run();

  return {
    id,
    subscribe,
    notify,
    changed: (scope) => {
      if (typeof scope === 'string') {
        cachedTenants.forgetAll();
        wakeup.wake();
      } else cachedTenants.forget(scope.tenant);
      notify('any');
    },
    close: async () => {
      cachedTenants.forgetAll();
      clear();
      isClosed = true;
      wakeup.wake();
      await ended;
    },
  };
}

/** The channel of notifications. A service has its own database. */
export const CHANNEL = 'access_admin';

/** What a notification says: of a change of cached reads, or of the work that arises from a change that changes none. */
interface Message {
  /** `unknown` makes a process poll. */
  readonly what: ArisingWork | 'changed' | 'unknown';
  readonly tenant?: string | undefined;
  /** The process that has heard it already. */
  readonly sender?: string | undefined;
}

const KINDS: readonly string[] = [
  'checks',
  'events',
  'register',
  'any',
  'changed',
] satisfies readonly Message['what'][];
const isKind = (text: string): text is Message['what'] => KINDS.includes(text);

const messageOf = (what: string, tenant = '', sender = ''): string => `${what} ${tenant} ${sender}`;

/** The payload that tells other processes of a change that changes no cached read. */
export const uncachedOf = (arising: ArisingWork, tenant?: string, sender?: string): string =>
  messageOf(arising, tenant, sender);

/** The payload that tells other processes of a change of cached reads. What has no tenant makes them poll. */
export const announcementOf = (scope: Scope, sender: string): string =>
  typeof scope === 'string' ? scope : messageOf('changed', scope.tenant, sender);

/** Any program with access to the database may send anything. */
function parseMessage(payload: string): Message {
  const [what = '', tenant, sender] = payload.split(' ');
  return { what: isKind(what) ? what : 'unknown', tenant, sender };
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
function unlessOfStatement(error: unknown): void {
  if (!(error instanceof pg.DatabaseError) || error.severity !== 'ERROR') throw error;
}

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
