import { createEngineDatabase, readRows } from '@access-admin/harness';
import { openStore, type RegisterMaintenance, type Store } from '@access-admin/store';
import { cases, SEED } from '@access-admin/test-depth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { driveLoop } from './drive-loop.ts';
import { createRegisterWorker, Killed, killedAt } from './drive-register.ts';
import { createRegisterWorld, type RegisterWorld } from './register-world.ts';
import { createRandom, newReport, readAll } from './report-world.ts';
import { migrate } from './sample-store.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const STEPS = 12;
const SEEDS = Array.from({ length: cases({ reduced: 12, full: 1_000 }) }, (_, at) => SEED + at);

let url: string;
let store: Store;
let remove: () => Promise<void>;

beforeEach(async () => {
  const database = await createEngineDatabase(undefined, migrate);
  ({ url, remove } = database);
  store = await openStore(url);
});

afterEach(async () => {
  await store.close();
  await remove();
});

interface Row {
  readonly id: string;
  readonly identity_id: string;
  readonly policy_id: string;
  readonly status: string;
  readonly level_rank: number;
  readonly created: string;
  readonly closed: string | null;
  readonly exception_id: string | null;
}

const LEVELS = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

async function expectRegister(tenant: string, world: RegisterWorld): Promise<readonly Row[]> {
  const now = new Date(world.nowMs).toISOString();
  const { asOf } = await store.register.readView(tenant, now);
  expect(asOf).toBe(now);
  const rows = await readRows<Row>(url, `select * from sod_violation where tenant = '${tenant}' order by created, id`);
  const present = rows.filter(({ closed }) => closed === null);
  const expected = await world.expected(now);
  expect(present.map(({ identity_id, policy_id }) => `${identity_id} ${policy_id}`).sort()).toEqual(
    [...expected.keys()].sort(),
  );
  for (const row of present) {
    const wanted = expected.get(`${row.identity_id} ${row.policy_id}`);
    const shown = await store.register.find(tenant, row.id, now);
    expect(shown).toMatchObject({
      name: wanted?.name,
      status: wanted?.exceptionId === null ? 'Open' : 'Mitigated',
      exception: wanted?.exceptionId == null ? null : { id: wanted.exceptionId },
    });
    expect(LEVELS[Number(row.level_rank) - 1]).toBe(wanted?.level);
    const items = shown?.conflictingCriteria.map(({ conflictingItems }) =>
      conflictingItems.map(({ id, name }) => [id, name]),
    );
    expect(JSON.stringify(items)).toBe(wanted?.items);
  }
  return rows;
}

async function expectCounts(tenant: string, rows: readonly Row[]): Promise<void> {
  const count = (some: readonly Row[]) => ({
    open: some.filter(({ status }) => status === 'Open').length,
    mitigated: some.filter(({ status }) => status === 'Mitigated').length,
  });
  const read = <T>(table: string) => readRows<T>(url, `select * from ${table} where tenant = '${tenant}'`);
  type Counted = { policy_id: string; level_rank: number; open: number; mitigated: number; oldest: string | null };
  const policies = await read<Counted>('register_policy');
  for (const { policy_id, open, mitigated, oldest } of policies) {
    const own = rows.filter((row) => row.policy_id === policy_id && row.closed === null);
    expect({ open: Number(open), mitigated: Number(mitigated), oldest }).toEqual({
      ...count(own),
      oldest: own[0]?.created ?? null,
    });
  }
  for (const { level_rank, open, mitigated } of await read<Counted>('register_level'))
    expect({ open: Number(open), mitigated: Number(mitigated) }).toEqual(
      count(rows.filter((row) => Number(row.level_rank) === Number(level_rank))),
    );
  const days = await read<{ day: string; opened: number; ended: number; open: number }>('register_day');
  for (const { day, opened, ended, open } of days)
    expect([Number(opened), Number(ended), Number(open)]).toEqual([
      rows.filter(({ created }) => created.startsWith(day)).length,
      rows.filter(({ closed }) => closed?.startsWith(day)).length,
      rows.filter(
        ({ created, closed }) => created.slice(0, 10) <= day && (closed === null || closed.slice(0, 10) > day),
      ).length,
    ]);
}

async function expectEvents(tenant: string, rows: readonly Row[]): Promise<void> {
  const statuses = new Map<string, string>();
  const ended = { remediated: 'Remediated', closed: 'Closed' } as const;
  const events = await readRows<{ sequence: number; type: string; subject: string; data: string }>(
    url,
    `select * from event where tenant = '${tenant}' order by sequence`,
  );
  expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_, place) => place + 1));
  for (const { type, data } of events) {
    const [, , happened = ''] = type.split('.');
    if (!type.startsWith('sod.violation.')) continue;
    const { id, status }: { readonly id: string; readonly status: string } = JSON.parse(data);
    const before = statuses.get(id);
    if (happened === 'opened') expect(before).toBeUndefined();
    else if (happened === 'mitigated') expect([before, status]).toEqual(['Open', 'Mitigated']);
    else if (happened === 'reopened') expect([before, status]).toEqual(['Mitigated', 'Open']);
    else {
      expect(['Open', 'Mitigated']).toContain(before);
      expect(status).toBe(ended[happened as keyof typeof ended]);
    }
    statuses.set(id, status);
  }
  expect([...statuses].sort()).toEqual(rows.map(({ id, status }) => [id, status] as const).toSorted());
}

/** Each exception that has reached its end in force or requested was told to be expired once, and no other one. */
async function expectExpiries(tenant: string, world: RegisterWorld): Promise<void> {
  const now = new Date(world.nowMs).toISOString();
  const query = { conditions: [{ field: 'state', values: ['EXPIRED'] }], now } as const;
  const expired = await store.sodExceptions.list(tenant, query, { limit: 250, offset: 0 });
  const told = await readRows<{ subject: string }>(
    url,
    `select subject from event where tenant = '${tenant}' and type = 'sod.exception.expired'`,
  );
  expect(told.map(({ subject }) => subject).sort()).toEqual(expired.map(({ id }) => `/sod-exceptions/v1/${id}`).sort());
}

/** A scan of the instant of the register has the violations that the register has as present. */
async function expectScan(tenant: string, world: RegisterWorld, present: readonly Row[]): Promise<void> {
  const at = new Date(world.nowMs).toISOString();
  await store.reports.enqueue(newReport('scan', { tenant, at }), 10);
  const loop = driveLoop(store, { nowMs: world.nowMs });
  await loop.idle();
  loop.stop();
  await loop.ended;
  const { lines } = await readAll(store, 'scan', tenant);
  const scanned = lines.map(({ policy, line }) => [line.identityId, policy.policyId, line.exception?.id ?? null]);
  const kept = present.map(({ identity_id, policy_id, exception_id }) => [identity_id, policy_id, exception_id]);
  expect(kept.toSorted()).toEqual(scanned.toSorted());
}

describe('the register', () => {
  test.each(SEEDS)(
    'equals a plain evaluation after any change and any death of its worker, in random history %i',
    async (seed) => {
      const random = createRandom(seed);
      const tenant = `t-${seed}`;
      const world = await createRegisterWorld(store, tenant, START_MS);
      // Some workers have room for hardly any exceptions.
      const startWorker = (register: RegisterMaintenance = store.register) =>
        createRegisterWorker(store, register, { exceptionsMax: random(2) === 0 ? 1_000 : random(3) });
      let worker = startWorker();
      const changes: string[] = [];
      // Exceptions that end before the first round are not told.
      await worker.settle(world.nowMs);
      let before = new Map<string, Row>();
      for (let step = 0; step < STEPS; step++) {
        for (let count = 1 + random(3); count > 0; count--) changes.push(await world.change(random));
        if (random(3) === 0) {
          const dying = startWorker(killedAt(store.register, 1 + random(6), random(2) === 0));
          await dying.settle(world.nowMs).catch((error) => expect(error).toBeInstanceOf(Killed));
          world.nowMs += 5_001;
        }
        if (random(8) === 0) worker = startWorker();
        await worker.settle(world.nowMs);
        const rows = await expectRegister(tenant, world);
        await expectCounts(tenant, rows);
        await expectEvents(tenant, rows);
        await expectExpiries(tenant, world);
        for (const row of rows) {
          if (row.closed === null || before.get(row.id)?.closed !== null) continue;
          expect(row.status, `${changes.join(', ')}: ${row.identity_id} ${row.policy_id}`).toBe(
            world.isClosed(row.identity_id, row.policy_id) ? 'Closed' : 'Remediated',
          );
        }
        before = new Map(rows.map((row) => [row.id, row]));
        world.mark();
      }
      const present = [...before.values()].filter(({ closed }) => closed === null);
      await expectScan(tenant, world, present);
    },
  );
});
