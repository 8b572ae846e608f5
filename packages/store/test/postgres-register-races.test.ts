import { requestException } from '@access-admin/domain';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { actIn, entitlement, holds, identity, identityProfile, importAll, NOW, sodPolicy } from './model-records.ts';
import { openShared } from './shared-database.ts';

const END = '2026-06-01T00:00:00.000Z';
const SOONER = '2026-05-01T00:00:00.000Z';
const NOW_MS = Date.parse(NOW);
const ROUND = {
  identities: 1,
  asOf: NOW,
  compareDue: null,
  corrected: null,
  policies: { changed: [], gone: [] },
};

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
    const made = await store.exceptions.create(actIn('acme'), requested, (view) =>
      requestException(requested, view, { id: 'x', identityId: 'i-2', now: NOW }),
    );
    expect(made.ok).toBe(true);
    const [claim] = await store.register.claim({ nowMs: NOW_MS, leaseMs: 60_000, limit: 1 });
    if (claim === undefined) throw new Error('The register is not due.');
    const source = await store.register.openSource('acme');
    const { version, identityRevision } = source;
    // Its snapshot would keep the table from being locked.
    await source[Symbol.asyncDispose]();
    // The lock holds the round where it reads or writes the tenant.
    await other.query('begin');
    await other.query('lock table tenant in access exclusive mode');
    const round = { ...version, ...ROUND, identityRevision, compareDue: END, corrected: 0 };
    const concluded = store.register.publish(claim, round);
    const isHeld = async () => {
      const { rowCount } = await other.query(`select 1 from pg_locks where not granted and relation = 'tenant'::regclass
        and database = (select oid from pg_database where datname = current_database())`);
      return rowCount === 1;
    };
    await vi.waitUntil(isHeld, { interval: 2, timeout: 60_000 });
    await other.query('update sod_exception set ends = $1', [SOONER]);
    await other.query("update tenant set register_behind_since = '2026-11-21T09:30:00.000Z'");
    await other.query('commit');
    expect(await concluded).toBe(true);
    const { rows } = await other.query(
      'select register_behind_since, next_due from tenant join register_head using (tenant)',
    );
    expect(rows).toMatchObject([{ register_behind_since: null, next_due: SOONER }]);
  } finally {
    await other.end();
    await close();
  }
});

/** A claimed register, and another program that writes beside the store. */
async function openClaimed() {
  const { url, store, close } = await openShared('postgres');
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await close();
  });
  await importAll(store, 'acme', [identityProfile('ip'), identity('i-1')]);
  const [claim] = await store.register.claim({ nowMs: NOW_MS, leaseMs: 60_000, limit: 1 });
  if (claim === undefined) throw new Error('The register is not due.');
  return { url, store, other, claim };
}

const SOON = { interval: 2, timeout: 60_000 };

/** A register that is of the present, and another program that writes beside the store. */
async function openPresent() {
  const { store, other, claim } = await openClaimed();
  const { version, identityRevision } = await store.register.readVersion('acme');
  await store.register.publish(claim, { ...version, ...ROUND, identityRevision, compareDue: END });
  return { store, other };
}

const later = (ms: number) => new Date(NOW_MS + ms).toISOString();

test('a summary and a list are of one snapshot with their moment, whatever is committed while they are read', async () => {
  const { store, other } = await openPresent();
  const isWaiting = async () => {
    await other.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await other.query(`select 1 from pg_stat_activity where datname = current_database()
      and application_name = 'access-admin' and wait_event_type = 'Lock'`);
    return rowCount === 1;
  };
  const at = later(10);
  // The head was read, and the rows are read when the other program has committed.
  const whileReading = async <T>(table: string, read: () => Promise<T>, write: string): Promise<T> => {
    await other.query('begin');
    await other.query(`lock table ${table} in access exclusive mode`);
    const reading = read();
    await vi.waitUntil(isWaiting, SOON);
    await other.query(write);
    await other.query(`update register_head set as_of = '${at}'`);
    await other.query('commit');
    return reading;
  };
  const query = { conditions: [], sorters: [], now: NOW };
  const listed = await whileReading(
    'sod_violation',
    () => store.violations.list('acme', query, { limit: 10, offset: 0, after: null }),
    `insert into sod_violation values ('acme', 'v-1', 'i-1', 'p', 'Open', 1, '${at}', '${at}', null, null, null, null, 'P', 'i-1', '[]', null, null)`,
  );
  expect([listed.asOf, listed.violations]).toEqual([NOW, []]);
  await other.query(`update register_head set as_of = '${NOW}'`);
  const summary = await whileReading(
    'register_count',
    () => store.violations.summarize('acme', { now: NOW, days: 1 }),
    "insert into register_count values ('acme', 'p', 1, 1, 0)",
  );
  expect([summary.asOf, summary.open]).toEqual([NOW, 0]);
});
