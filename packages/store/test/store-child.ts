// Started by store-process.ts as a process: node store-child.ts <database URL> <task> [argument].
import { concludeWithError, fail, failure, ok } from '@access-admin/domain';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import { openStore, type Store } from '../src/index.ts';
import { actIn, identity, importAll, NOW } from './model-records.ts';
import { newCheck } from './new-check.ts';

const [url = '', task = '', argument = ''] = process.argv.slice(2);

const TASKS: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  /** Opens and closes. */
  open: async () => {},

  /** Stores checks one after the other and reports each, until it is killed. */
  enqueue: async (store) => {
    for (let number = 0; ; number++) {
      await store.checks.enqueue(newCheck(`${argument}-${number}`), Number.MAX_SAFE_INTEGER);
      say(`${argument}-${number}`);
    }
  },

  /** Changes many tenants concurrently and reports each, until it is killed. */
  label: async (store) => {
    const chain = async (name: string) => {
      for (let number = 0; ; number++) {
        const tenant = `${name}-${number}`;
        await store.uiMetadata.change(actIn(tenant), {
          decide: (metadata) => ok({ ...metadata, usernameLabel: tenant }),
        });
        say(tenant);
      }
    };
    await Promise.all(['x', 'y', 'z'].map((name) => chain(`${argument}-${name}`)));
  },

  /** Claims and completes checks until none is left, and reports them. */
  work: async (store) => {
    for (;;) {
      const claimed = await store.checks.claim({ nowMs: 1, leaseMs: 1_000, limit: 7 });
      if (claimed.length === 0) return;
      for (const { requestId } of claimed) say(requestId);
      const { result } = concludeWithError({ clientMetadata: null }, '');
      await store.checks.complete(claimed.map((check) => ({ ...check, state: 'SUCCESS', completed: NOW, result })));
    }
  },

  /** Removes every capability of an identity, unless it is the last administrator. */
  demote: async (store) => {
    const outcome = await store.authUsers.change(actIn('acme'), argument, {
      decide: ({ user, otherOrgAdmins }) =>
        otherOrgAdmins ? ok({ ...user, capabilities: [] }) : fail(failure('Conflict', '', 'last administrator')),
    });
    say(outcome.ok ? 'demoted' : 'refused');
  },

  /** Reports signals of commits until it is killed. */
  listen: async (store) => {
    store.onCommit(() => say('commit'));
    say('listening');
    await new Promise(() => setInterval(() => {}, 60_000));
  },

  /** Commits once. */
  commit: async (store) => {
    await importAll(store, 'acme', [identity(argument)]);
  },

  /** Creates a client of another tenant. */
  client: async ({ clients }) => {
    const client = { tenant: 'globex', id: 'c-1', name: 'c', scopes: [], identityId: null, secretHash: 'hash' };
    await clients.create(actIn('acme'), { ...client, created: NOW });
  },

  /** Has another tenant removed. */
  remove: async ({ tenantRemovals }) => {
    await tenantRemovals.begin(actIn('acme'), 'globex', async () => 'signed');
  },

  /** Starts everything a store can start, and closes it. */
  finish: async (store) => {
    store.onCommit(() => {});
    await importAll(store, 'acme', []);
    const records = store.accessModel.export('acme')[Symbol.asyncIterator]();
    await records.next();
  },
};

const HOUR_MS = 3_600_000;

/** A store that learns of commits by notifications alone, where the engine has them. */
const openWithoutPolls = () =>
  url.startsWith('sqlite:')
    ? openStore(url)
    : openPostgresStore({ url, limits: { ...POSTGRES_LIMITS, pollEveryMs: HOUR_MS, notifyEveryMs: HOUR_MS } });

const store = await (task === 'listen' ? openWithoutPolls() : openStore(url));
say('opened');
if (task === 'demote' || task === 'commit' || task === 'work')
  await new Promise((resolve) => process.once('message', resolve));
await TASKS[task]?.(store);
await store.close();
say('closed');
process.disconnect();

function say(text: string): void {
  process.send?.(text);
}
