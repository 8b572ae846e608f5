// Run by store-process.ts in a process of its own: node store-child.ts <database URL> <task> [argument].
import { fail, failure, ok } from '@access-admin/domain';
import { openStore, type Store } from '../src/index.ts';
import { actIn, identity, importAll, NOW } from './model-records.ts';
import { newCheck } from './new-check.ts';

const [url = '', task = '', argument = ''] = process.argv.slice(2);

const TASKS: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  /** Opens and closes. */
  open: async () => {},

  /** Stores checks one after the other and says so after each, until killed. */
  enqueue: async (store) => {
    for (let number = 0; ; number++) {
      await store.checks.enqueue(newCheck(`${argument}-${number}`), Number.MAX_SAFE_INTEGER);
      say(`${argument}-${number}`);
    }
  },

  /** Changes one tenant after the other, many at once, and says so after each, until killed. */
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

  /** Claims and completes until nothing is left, saying which. */
  work: async (store) => {
    for (;;) {
      const claimed = await store.checks.claim({ nowMs: 1, leaseMs: 1_000, limit: 7, attemptsMax: 5 });
      if (claimed.length === 0) return;
      for (const { requestId } of claimed) say(requestId);
      const result = { message: null, clientMetadata: null, violationContexts: [], violatedPolicies: [] };
      await store.checks.complete(
        claimed.map((check) => ({ ...check, state: 'SUCCESS' as const, completed: NOW, result })),
      );
    }
  },

  /** Takes every capability of an identity, unless it is the last administrator. */
  demote: async (store) => {
    const outcome = await store.authUsers.change(actIn('acme'), argument, {
      decide: ({ user, otherOrgAdmins }) =>
        otherOrgAdmins ? ok({ ...user, capabilities: [] }) : fail(failure('Conflict', '', 'last administrator')),
    });
    say(outcome.ok ? 'demoted' : 'refused');
  },

  /** Says when something was committed, until killed. */
  listen: async (store) => {
    store.onCommit(() => say('commit'));
    say('listening');
    await new Promise(() => setInterval(() => {}, 60_000));
  },

  /** Commits once. */
  commit: async (store) => {
    await importAll(store, 'acme', [identity(argument)]);
  },

  /** Leaves all that a store can start running, but closes it. */
  finish: async (store) => {
    store.onCommit(() => {});
    await importAll(store, 'acme', []);
    const records = store.accessModel.export('acme')[Symbol.asyncIterator]();
    await records.next();
  },
};

const store = await openStore(url);
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
