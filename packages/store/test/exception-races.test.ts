import { setImmediate } from 'node:timers/promises';
import {
  type AccessModelRecord,
  approveException,
  exceptionStateAt,
  type NewSodException,
  planImport,
  requestException,
} from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAccessModelStore } from '../src/access-model/store.ts';
import type { Database } from '../src/engine/database.ts';
import { openPostgresDatabase } from '../src/engine/postgres/database.ts';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import { openSqliteDatabase } from '../src/engine/sqlite/database.ts';
import { createSodExceptionStore } from '../src/exceptions/store.ts';
import { openStore, type Store } from '../src/index.ts';
import { migrationsOf } from '../src/schema/migrations.ts';
import {
  APPLICATION,
  accessProfile,
  actIn,
  asLines,
  deletion,
  entitlement,
  holds,
  identity,
  identityProfile,
  importAll,
  NOW,
  role,
  sodPolicy,
} from './model-records.ts';
import { migrate } from './store-engine.ts';

const END = '2026-06-01T00:00:00.000Z';
const LATER = '2026-03-01T12:00:01.000Z';
const ADMIN = { ...actIn('acme'), actor: { clientId: 'c-1', identityId: 'i-admin' } };
const PAIR: NewSodException = { policyId: 'p', identityId: 'i-1', start: NOW, end: END, justification: 'why' };

const policy = (fields: object = {}) => sodPolicy('p', { left: ['e-1', 'e-3'], right: ['e-2'] }, fields);
const holder = (...ids: readonly string[]) =>
  identity('i-1', { access: [...holds('ENTITLEMENT', ...ids), ...holds('ROLE', 'r')] });
const WORLD: readonly AccessModelRecord[] = [
  ...['e-1', 'e-2', 'e-3', 'e-4'].map((id) => entitlement(id)),
  accessProfile('ap', ['e-4']),
  role('r', { accessProfiles: ['ap'] }),
  identityProfile('ip'),
  identity('i-admin', { capabilities: ['ORG_ADMIN'] }),
  policy(),
  holder('e-1', 'e-2'),
];

type Exceptions = Store['sodExceptions'];

const ask = (exceptions: Exceptions) =>
  exceptions.create(ADMIN, PAIR, (view) => requestException(PAIR, view, { id: 'x', identityId: 'i-asker', now: NOW }));
const approve = (exceptions: Exceptions) =>
  exceptions.change(ADMIN, 'x', {
    decide: (view) => approveException(view.exception, view, { identityId: 'i-admin', now: NOW }),
  });
const stateOf = async (exceptions: Exceptions) => {
  const found = await exceptions.find('acme', 'x');
  return found && exceptionStateAt(found, LATER);
};

/** Stores on one database: of the second, each write waits until `between` has run, which is after its preparation. */
async function openRace(engine: Store['engine'], between: (store: Store) => Promise<unknown>) {
  const { url, remove } = await createEngineDatabase(engine, migrate);
  const store = await openStore(url);
  const database =
    engine === 'sqlite'
      ? await openSqliteDatabase(url.slice('sqlite:'.length))
      : openPostgresDatabase({ url, migrations: migrationsOf('postgres'), limits: POSTGRES_LIMITS });
  onTestFinished(async () => {
    await Promise.all([store.close(), database.close()]);
    await remove();
  });
  const state = { writes: 0 };
  const after = async <T>(write: () => Promise<T>) => {
    state.writes += 1;
    await between(store);
    return write();
  };
  const raced: Database = {
    ...database,
    write: (scope, work) => after(() => database.write(scope, work)),
    writeAlone: (scope, work) => after(() => database.writeAlone(scope, work)),
  };
  const accessModel = createAccessModelStore(raced);
  const importRaced = (records: readonly AccessModelRecord[]) => {
    const lines = asLines(records);
    return accessModel.import({ auditContext: actIn('acme', LATER), records: lines }, (base) =>
      planImport({ records: lines, base, caller: APPLICATION, now: LATER }),
    );
  };
  await importAll(store, 'acme', WORLD);
  return { store, exceptions: createSodExceptionStore(raced), importRaced, state };
}

/** Runs a change once. */
function once(work: (store: Store) => Promise<unknown>) {
  let isDone = false;
  return async (store: Store) => {
    if (isDone) return;
    isDone = true;
    await work(store);
  };
}

const importing = (...records: readonly AccessModelRecord[]) =>
  once((store) => importAll(store, 'acme', records, LATER));

/** With every preparation too long to be repeated in a transaction. */
function slowPreparations(): void {
  let nowMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 100;
    return nowMs;
  });
}

describe.each(['sqlite', 'postgres'] as const)('exceptions on %s', (engine) => {
  describe.each([
    ['short', () => undefined],
    ['long', slowPreparations],
  ])('with %s preparations', (_, prepare) => {
    test.each([
      ['an item that joins', importing(holder('e-1', 'e-2', 'e-3')), ['e-1', 'e-2', 'e-3']],
      ['an item that joins by a bundle', importing(accessProfile('ap', ['e-3'])), ['e-1', 'e-2', 'e-3']],
      ['the end of the conflict', importing(holder('e-1')), null],
      ['an identity that is gone', importing(deletion('identity', 'i-1')), null],
      ['a policy that is not enforced any more', importing(policy({ state: 'NOT_ENFORCED' })), null],
      ['another name of the policy', importing(policy({ name: 'Other' })), ['e-1', 'e-2']],
      ['another identity', importing(identity('i-2', { access: holds('ENTITLEMENT', 'e-1') })), ['e-1', 'e-2']],
    ])('an approval is bound to %s before its transaction', async (__, change, items) => {
      const isArmed = { value: false };
      const { store, exceptions } = await openRace(engine, async (other) => isArmed.value && change(other));
      await ask(store.sodExceptions);
      isArmed.value = true;
      prepare();
      const approved = await approve(exceptions);
      vi.restoreAllMocks();
      expect(approved.ok ? approved.value.approvedConflict?.items : null).toEqual(items);
      const state = await stateOf(store.sodExceptions);
      // What is approved is what is there: a change that does not count leaves it.
      await importAll(store, 'acme', [accessProfile('other', ['e-4'])], LATER);
      expect(await stateOf(store.sodExceptions)).toBe(state);
    });

    test.each([
      ['access with another item', [holder('e-1', 'e-2', 'e-3')]],
      ['access without the conflict', [holder('e-1')]],
      ['a bundle with another item', [accessProfile('ap', ['e-3'])]],
      ['a role with another item', [role('r', { entitlements: ['e-3'] })]],
      ['another level of the policy', [policy({ level: 'LOW' })]],
      ['the deletion of the policy', [deletion('sodPolicy', 'p')]],
      ['the deletion of the identity', [deletion('identity', 'i-1')]],
    ])('an import of %s ends an exception that is approved before its transaction', async (__, records) => {
      const approving = once(({ sodExceptions }) => approve(sodExceptions));
      const { store, importRaced } = await openRace(engine, approving);
      await ask(store.sodExceptions);
      prepare();
      expect(await importRaced(records)).toMatchObject({ ok: true });
      vi.restoreAllMocks();
      expect(await stateOf(store.sodExceptions)).toBe('VOID');
      const version = await store.sod.readVersion('acme', 'i-1');
      expect(version.exceptions).toBeNull();
    });

    test('an import keeps an exception that other imports leave as it was approved', async () => {
      const others = importing(accessProfile('ap', ['e-1']), identity('i-2', { access: holds('ROLE', 'r') }));
      const { store, importRaced } = await openRace(engine, others);
      await ask(store.sodExceptions);
      await approve(store.sodExceptions);
      prepare();
      expect(await importRaced([holder('e-2'), role('r', { accessProfiles: ['ap'] })])).toMatchObject({ ok: true });
      vi.restoreAllMocks();
      expect(await stateOf(store.sodExceptions)).toBe('APPROVED');
    });

    test('the deletion of an identity ends an exception that is requested before its transaction', async () => {
      const { store, importRaced } = await openRace(
        engine,
        once(({ sodExceptions }) => ask(sodExceptions)),
      );
      prepare();
      await importRaced([deletion('identity', 'i-1')]);
      vi.restoreAllMocks();
      expect(await stateOf(store.sodExceptions)).toBe('VOID');
    });

    test('a client that ties the approver counts when it is made before the transaction', async () => {
      const tying = once(async ({ clients }) => {
        const client = { tenant: 'acme', id: 'c-tie', name: 'n', scopes: [], identityId: 'i-asker', created: NOW };
        expect(await clients.create(ADMIN, { ...client, secretHash: 's' })).toBe('created');
      });
      const { store, exceptions } = await openRace(engine, tying);
      await importAll(store, 'acme', [identity('i-asker')]);
      await ask(store.sodExceptions);
      prepare();
      expect(await approve(exceptions)).toMatchObject({ ok: false, failure: { type: 'Forbidden' } });
    });
  });

  test('the approvals of a tenant are prepared one at a time', async () => {
    let [prepared, most] = [0, 0];
    const { store, exceptions } = await openRace(engine, async () => {
      prepared += 1;
      most = Math.max(most, prepared);
      await setImmediate();
      prepared -= 1;
    });
    await ask(store.sodExceptions);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => approve(exceptions)));
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(most).toBe(1);
  });

  test('a write gives up after eight preparations that are outdated, and changes nothing', async () => {
    let turn = 0;
    const { store, exceptions, importRaced, state } = await openRace(engine, async (other) => {
      turn += 1;
      await importAll(other, 'acme', [accessProfile('ap', [turn % 2 === 0 ? 'e-4' : 'e-3'])], LATER);
    });
    await ask(store.sodExceptions);
    slowPreparations();
    await expect(approve(exceptions)).rejects.toThrow('changes too often');
    expect(state.writes).toBe(8);
    vi.restoreAllMocks();
    expect(await stateOf(store.sodExceptions)).toBe('REQUESTED');
    await approve(store.sodExceptions);
    slowPreparations();
    await expect(importRaced([holder('e-1')])).rejects.toThrow('changes too often');
    vi.restoreAllMocks();
    expect(await store.sodExceptions.find('acme', 'x')).not.toBeNull();
    expect((await store.sod.readVersion('acme', 'i-1')).revision).not.toBeNull();
  });
});
