import { requestException } from '@access-admin/domain';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { actIn, entitlement, holds, identity, identityProfile, importAll, NOW, sodPolicy } from './model-records.ts';
import { openShared } from './shared-database.ts';

const END = '2026-06-01T00:00:00.000Z';
const SOONER = '2026-05-01T00:00:00.000Z';
const NOW_MS = Date.parse(NOW);

test('a round that ends while an exception changes knows the next end', async () => {
  const { url, store, close } = await openShared('postgres');
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await importAll(store, 'acme', [
      ...['e-1', 'e-2'].map((id) => entitlement(id)),
      identityProfile('ip'),
      sodPolicy('p', { left: ['e-1'], right: ['e-2'] }),
      identity('i-1', { access: holds('ENTITLEMENT', 'e-1', 'e-2') }),
    ]);
    const requested = { policyId: 'p', identityId: 'i-1', start: NOW, end: END, justification: 'why' };
    const made = await store.sodExceptions.create(actIn('acme'), requested, (view) =>
      requestException(requested, view, { id: 'x', identityId: 'i-2', now: NOW }),
    );
    expect(made.ok).toBe(true);
    const claim = await store.register.claim({ nowMs: NOW_MS, leaseMs: 60_000, except: [] });
    if (claim === null) throw new Error('The register is not due.');
    const source = await store.register.openSource('acme');
    const { version, identityRevision } = source;
    // Its snapshot would keep the table from being locked.
    await source[Symbol.asyncDispose]();
    // The lock holds the round where it reads or writes the tenant.
    await other.query('begin');
    await other.query('lock table tenant in access exclusive mode');
    const round = { ...version, identityRevision, identities: 1, asOf: NOW, compareDue: END, corrected: 0 };
    const finished = store.register.finish(claim, round);
    const isHeld = async () => {
      const { rowCount } = await other.query(`select 1 from pg_locks where not granted and relation = 'tenant'::regclass
        and database = (select oid from pg_database where datname = current_database())`);
      return rowCount === 1;
    };
    await vi.waitUntil(isHeld, { interval: 2, timeout: 60_000 });
    await other.query('update sod_exception set ends = $1', [SOONER]);
    await other.query('update tenant set is_register_behind = 1');
    await other.query('commit');
    expect(await finished).toBe(true);
    const { rows } = await other.query(
      'select is_register_behind, next_due from tenant join register_head using (tenant)',
    );
    expect(rows).toMatchObject([{ is_register_behind: 0, next_due: SOONER }]);
  } finally {
    await other.end();
    await close();
  }
});

/** A claimed register whose writes wait at a table until `other` commits. */
async function openHeld(table: string) {
  const { url, store, close } = await openShared('postgres');
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await close();
  });
  await importAll(store, 'acme', [identityProfile('ip'), identity('i-1')]);
  const claim = await store.register.claim({ nowMs: NOW_MS, leaseMs: 60_000, except: [] });
  if (claim === null) throw new Error('The register is not due.');
  const apply = (identityId: string) => {
    const policy = { policyId: 'p', policyName: 'Policy', levelRank: 1, criteria: '[]' };
    const opened = [{ ...policy, identityId, targetName: identityId, exception: null }];
    return store.register.apply(claim, { at: NOW, leaseEndMs: NOW_MS, opened, changed: [], ended: [], due: [] });
  };
  const count = async (condition: string) => {
    // Otherwise a transaction sees the activity as it was at first.
    await other.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await other.query(`select 1 from pg_stat_activity where datname = current_database()
      and application_name = 'access-admin' and ${condition}`);
    return rowCount;
  };
  await other.query('begin');
  await other.query(`lock table ${table} in exclusive mode`);
  return {
    ...{ store, claim, other, apply },
    isWaiting: async () => (await count(`wait_event_type = 'Lock'`)) === 1,
    isAhead: async () => (await count(`state = 'idle in transaction' and backend_xid is not null`)) === 1,
  };
}

const SOON = { interval: 2, timeout: 60_000 };

test('the violations of a batch are inserted while the batch before is stored, and told after it', async () => {
  const { store, other, apply, isWaiting, isAhead } = await openHeld('event_head');
  const first = apply('i-1');
  await vi.waitUntil(isWaiting, SOON);
  const second = apply('i-2');
  await vi.waitUntil(isAhead, SOON);
  const third = apply('i-3');
  await other.query('commit');
  expect(await Promise.all([first, second, third])).toEqual([true, true, true]);
  const { events } = await store.events.read('acme', { after: 0, types: ['sod.violation.opened'], limit: 10 });
  expect(events.map(({ data }) => JSON.parse(data).target.id)).toEqual(['i-1', 'i-2', 'i-3']);
  expect(await store.violations.count('acme', { conditions: [] })).toBe(3);
});

test('violations that were inserted ahead are taken back when another worker has taken the register', async () => {
  const { store, claim, other, apply, isWaiting, isAhead } = await openHeld('identity_deletion');
  const before = store.register.forgetDeletions(claim, 1);
  await vi.waitUntil(isWaiting, SOON);
  const ahead = apply('i-1');
  await vi.waitUntil(isAhead, SOON);
  await other.query('update register_head set fence = fence + 1');
  await other.query('commit');
  expect(await Promise.all([before, ahead])).toEqual([true, false]);
  expect(await store.violations.count('acme', { conditions: [] })).toBe(0);
});
