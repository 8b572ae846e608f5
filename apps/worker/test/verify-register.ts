import type { RowReader } from '@access-admin/harness';
import type { Store } from '@access-admin/store';
import { expect, inject } from 'vitest';
import type { RegisterWorld } from './register-world.ts';

/** A violation as it is stored. */
export interface RegisterRow {
  readonly id: string;
  readonly identity_id: string;
  readonly policy_id: string;
  readonly status: string;
  readonly level_rank: number;
  readonly created: string;
  readonly closed: string | null;
  readonly exception_id: string | null;
}

/** An event as it is stored. */
export interface EventRow {
  readonly sequence: number;
  readonly type: string;
  readonly resource_id: string;
  readonly data: string;
}

/** A tenant, the store that keeps its register, and a reader of the store's database. */
export interface RegisterPlace {
  readonly store: Store;
  readonly reader: RowReader;
  readonly tenant: string;
}

const LEVELS = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

export const readEvents = ({ reader, tenant }: RegisterPlace): Promise<readonly EventRow[]> =>
  reader.read<EventRow>(`select * from event where tenant = '${tenant}' order by sequence`);

/**
 * Present violations are those of brute force, as they must be shown. Returns all violations, the earliest first. `catchUp` runs
 * rounds until no work is found.
 */
export async function expectRegister(
  { store, reader, tenant }: RegisterPlace,
  world: RegisterWorld,
  catchUp: () => Promise<unknown>,
): Promise<readonly RegisterRow[]> {
  const now = new Date(world.nowMs).toISOString();
  const moment = async () => {
    // On Citus, what is due by time alone is found by a look at all tenants once a second, for which no claim waits.
    if (inject('isOnCitus')) await catchUp();
    const { asOf } = await store.violations.readView(tenant, now);
    return asOf === now ? 'present' : `${asOf} at ${now}`;
  };
  await expect.poll(moment).toBe('present');
  const all = `select * from sod_violation where tenant = '${tenant}' order by created, id`;
  const rows = await reader.read<RegisterRow>(all);
  const present = rows.filter(({ closed }) => closed === null);
  const expected = await world.expected(now);
  expect(present.map(({ identity_id, policy_id }) => `${identity_id} ${policy_id}`).sort()).toEqual(
    [...expected.keys()].sort(),
  );
  for (const row of present) {
    const wanted = expected.get(`${row.identity_id} ${row.policy_id}`);
    const shown = await store.violations.find(tenant, row.id, now);
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

/** The counts that are kept by policy, level and day are those of the rows. */
export async function expectCounts(
  { store, reader, tenant }: RegisterPlace,
  world: RegisterWorld,
  rows: readonly RegisterRow[],
): Promise<void> {
  const present = rows.filter(({ closed }) => closed === null);
  const count = (some: readonly RegisterRow[]) => ({
    open: some.filter(({ status }) => status === 'Open').length,
    mitigated: some.filter(({ status }) => status === 'Mitigated').length,
  });
  const now = new Date(world.nowMs).toISOString();
  const { byLevel, byPolicy, trend, ...summary } = await store.violations.summarize(tenant, { now, days: 400 });
  expect(summary).toMatchObject(count(present));
  expect(byLevel.toReversed().map(({ open, mitigated }) => ({ open, mitigated }))).toEqual(
    [1, 2, 3, 4].map((rank) => count(present.filter((row) => Number(row.level_rank) === rank))),
  );
  const policies = Map.groupBy(present, ({ policy_id }) => policy_id);
  expect(byPolicy.map(({ policy }) => policy.id).toSorted()).toEqual([...policies.keys()].toSorted());
  for (const { policy, ...counted } of byPolicy) {
    const own = policies.get(policy.id) ?? [];
    expect(counted).toEqual({ ...count(own), oldest: own[0]?.created ?? null });
  }
  for (const { date, ...day } of trend)
    expect(day).toEqual({
      opened: rows.filter(({ created }) => created.startsWith(date)).length,
      ended: rows.filter(({ closed }) => closed?.startsWith(date)).length,
      open: rows.filter(
        ({ created, closed }) => created.slice(0, 10) <= date && (closed === null || closed.slice(0, 10) > date),
      ).length,
    });
  const kept = await reader.read<{ open: number; mitigated: number }>(
    `select open, mitigated from register_count where tenant = '${tenant}'`,
  );
  expect(kept.every(({ open, mitigated }) => Number(open) >= 0 && Number(mitigated) >= 0)).toBe(true);
}

/** The events have no gap, tell each step of a violation once, and lead from nothing to the rows. */
export function expectEvents(events: readonly EventRow[], rows: readonly RegisterRow[]): void {
  const statuses = new Map<string, string>();
  const subjects = new Map<string, string>();
  const ended = { remediated: 'Remediated', closed: 'Closed' } as const;
  expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_, place) => place + 1));
  for (const { type, data } of events) {
    const [, , happened = ''] = type.split('.');
    if (!type.startsWith('sod.violation.')) continue;
    type Told = { id: string; status: string; target: { id: string }; policy: { id: string } };
    const { id, status, target, policy }: Told = JSON.parse(data);
    const before = statuses.get(id);
    if (happened === 'opened') expect(before).toBeUndefined();
    else if (happened === 'mitigated') expect([before, status]).toEqual(['Open', 'Mitigated']);
    else if (happened === 'reopened') expect([before, status]).toEqual(['Mitigated', 'Open']);
    else {
      expect(['Open', 'Mitigated']).toContain(before);
      expect(status).toBe(ended[happened as keyof typeof ended]);
    }
    statuses.set(id, status);
    subjects.set(id, `${target.id} ${policy.id}`);
  }
  const replayed = [...statuses].map(([id, status]) => [id, status, subjects.get(id)]);
  const kept = rows.map(({ id, status, identity_id, policy_id }) => [id, status, `${identity_id} ${policy_id}`]);
  expect(replayed.toSorted()).toEqual(kept.toSorted());
}

/** Each exception that has reached its end in force or requested was told to be expired once, and no other one. */
export async function expectExpiries(
  { store, tenant }: RegisterPlace,
  world: RegisterWorld,
  events: readonly EventRow[],
): Promise<void> {
  const now = new Date(world.nowMs).toISOString();
  const query = { conditions: [{ field: 'state', operator: 'in', values: ['EXPIRED'] }], now } as const;
  const expired = await store.exceptions.list(tenant, query, { limit: 250, offset: 0 });
  const told = events.filter(({ type }) => type === 'sod.exception.expired');
  expect(told.map(({ resource_id }) => resource_id).sort()).toEqual(
    expired.map(({ exception }) => exception.id).sort(),
  );
}
