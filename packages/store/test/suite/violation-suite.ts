import { SOD_VIOLATION_LEVELS, SOD_VIOLATION_STATUSES, type SodViolation } from '@access-admin/domain';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createViolationStore } from '../../src/governance/violations/store.ts';
import type { RegisterCondition, RegisterQuery, Store } from '../../src/index.ts';
import { openEngineDatabase } from '../engine-database.ts';
import { entitlement, holds, identity, importAll, NOW, people, sodPolicy } from '../model-records.ts';
import { type OpenedDatabase, openDatabase, type StoreEngine } from '../store-engine.ts';

const ROWS = 6_000;
/** So small that a part of the rows exceeds it. */
const COUNTED_MAX = 400;
// More than are read for each page.
const MANY_OWNERS = 450;
const OWNERS = ['i-1', 'i-2', 'i-3'];
const POLICIES = ['Pay and approve', 'Pay', 'Audit', 'Ärger', 'rare'];
const minute = (count: number) => new Date(Date.parse(NOW) - count * 60_000).toISOString();

interface Row {
  readonly id: string;
  readonly status: (typeof SOD_VIOLATION_STATUSES)[number];
  readonly rank: number;
  readonly created: string;
  readonly modified: string;
  readonly closed: string | null;
  readonly owner: string | null;
  readonly policy: number;
  readonly target: number;
}

const ALL: readonly Row[] = Array.from({ length: ROWS }, (_, at): Row => {
  const hash = (at * 2_654_435_761) % 4_294_967_296;
  const status = SOD_VIOLATION_STATUSES[hash % 7 > 3 ? 0 : hash % 7] ?? 'Open';
  return {
    id: `v-${String(hash).padStart(10, '0')}`,
    status,
    rank: 1 + (hash % 4),
    created: minute(hash % 500),
    modified: minute(hash % 90),
    closed: status === 'Open' || status === 'Mitigated' ? null : minute(hash % 70),
    owner: hash % 11 === 0 ? (OWNERS[hash % 3] ?? null) : null,
    policy: at % 997 === 0 ? 4 : hash % 4,
    target: hash % 700,
  };
});

const targetName = (target: number) => `${target % 2 === 0 ? 'Ada' : 'adam'} ${target}`;

async function openFilled(engine: StoreEngine): Promise<OpenedDatabase> {
  const database = await openDatabase(engine);
  await importAll(database.store, 'acme', people({ 'i-1': [], 'i-2': [], 'i-3': [] }));
  const text = (value: string | null) => (value === null ? 'null' : `'${value}'`);
  for (let start = 0; start < ROWS; start += 500) {
    const rows = ALL.slice(start, start + 500).map((row) => [
      text('acme'),
      text(row.id),
      text(`t-${row.target}`),
      text(`p-${row.policy}`),
      text(row.status),
      row.rank,
      text(row.created),
      text(row.modified),
      text(row.closed),
      text(row.owner),
      'null',
      'null',
      text(POLICIES[row.policy] ?? ''),
      text(targetName(row.target)),
      text('[]'),
    ]);
    await database.execute(
      `insert into sod_violation (tenant, id, identity_id, policy_id, status, level_rank, created, modified, closed,
        owner_id, exception_id, expiration, policy_name, target_name, criteria) values ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`,
    );
  }
  const countOf = (status: string) => `sum(case when status = '${status}' then 1 else 0 end)`;
  await database.execute(`insert into register_count (tenant, policy_id, level_rank, open, mitigated)
    select tenant, policy_id, level_rank, ${countOf('Open')}, ${countOf('Mitigated')} from sod_violation
    group by tenant, policy_id, level_rank`);
  return database;
}

/** The oracle of a condition, on violations as they are shown. */
function meets(shown: SodViolation, { field, operator, values }: RegisterCondition): boolean {
  const value = {
    status: shown.status,
    level: shown.level,
    policyId: shown.policy.id,
    ownerId: shown.owner?.id,
    ownedBy: shown.owner?.id,
    targetId: shown.target.id,
    policyName: shown.policy.name,
    ownerName: shown.owner?.name,
    targetName: shown.target.name,
    created: shown.created,
    closed: shown.closed,
  }[field];
  if (value === undefined || value === null) return false;
  const [first = ''] = values;
  if (operator === 'sw') return value.toLowerCase().startsWith(first.toLowerCase());
  if (operator === 'co') return value.toLowerCase().includes(first.toLowerCase());
  if (operator === 'ge') return value >= first;
  if (operator === 'le') return value <= first;
  return values.includes(value);
}

function inOrder(sorters: RegisterQuery['sorters']) {
  const rank = ({ level }: SodViolation) => SOD_VIOLATION_LEVELS.indexOf(level);
  const last = sorters.at(-1)?.descends ?? true;
  return (a: SodViolation, b: SodViolation): number => {
    for (const { field, descends } of sorters) {
      const compared = field === 'level' ? rank(a) - rank(b) : compare(a[field], b[field]);
      if (compared !== 0) return descends ? -compared : compared;
    }
    const isDated = sorters.some(({ field }) => field !== 'level');
    const compared = (isDated ? 0 : compare(a.created, b.created)) || compare(a.id, b.id);
    return last ? -compared : compared;
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const presentStatus = fc.tuple(oneOf('Open', 'Mitigated'));
const list = (values: fc.Arbitrary<string>) => fc.array(values, { minLength: 1, maxLength: 3 });
const names = oneOf('Pay', 'pAY', 'Ada 2', 'ADAM 1', 'a', 'Ä', 'ä', 'rare', 'I-', 'i-2', '', 'none');
const textual = (field: RegisterCondition['field'], values: fc.Arbitrary<string>) =>
  fc.record({ field: fc.constant(field), operator: oneOf('in' as const), values: list(values) });
const named = (field: RegisterCondition['field']) =>
  fc.record({
    field: fc.constant(field),
    operator: oneOf<RegisterCondition['operator']>('eq', 'sw', 'co'),
    values: fc.tuple(names),
  });
const dated = (field: RegisterCondition['field']) =>
  fc.record({
    field: fc.constant(field),
    operator: oneOf<RegisterCondition['operator']>('ge', 'le'),
    values: fc.tuple(fc.integer({ min: 0, max: 500 }).map(minute)),
  });
const conditions: fc.Arbitrary<readonly RegisterCondition[]> = fc.array(
  fc.oneof(
    textual('status', oneOf(...SOD_VIOLATION_STATUSES)),
    textual('level', oneOf(...SOD_VIOLATION_LEVELS)),
    textual('policyId', oneOf('p-0', 'p-1', 'p-4', 'p-9')),
    textual('ownerId', oneOf('i-1', 'i-2', 'i-9')),
    fc.record({
      field: fc.constant('ownedBy' as const),
      operator: fc.constant('eq' as const),
      values: fc.tuple(oneOf('i-1', 'i-2', 'i-9')),
    }),
    textual('targetId', oneOf('t-1', 't-2', 't-700')),
    ...(['policyName', 'ownerName', 'targetName'] as const).map(named),
    ...(['created', 'closed'] as const).map(dated),
  ),
  { maxLength: 3 },
);
const sorters = fc.uniqueArray(
  fc.record({ field: oneOf('level' as const, 'created' as const, 'modified' as const), descends: fc.boolean() }),
  { selector: ({ field }) => field, maxLength: 3 },
);

async function readAll(store: Store, query: RegisterQuery, limit: number): Promise<readonly SodViolation[]> {
  const found: SodViolation[] = [];
  let after: Awaited<ReturnType<Store['violations']['list']>>['next'] = null;
  do {
    const page = await store.violations.list('acme', { ...query, now: NOW }, { limit, offset: 0, after });
    expect(page.violations.length).toBeLessThanOrEqual(limit);
    found.push(...page.violations);
    after = page.next;
  } while (after !== null);
  return found;
}

/** The number of all matches, as a list tells it beside its rows. */
async function countOf(store: Store, { conditions }: Pick<RegisterQuery, 'conditions'>): Promise<number | null> {
  const query = { conditions, sorters: [], now: NOW };
  const page = { limit: 1, offset: 0, after: null, isCounted: true };
  const { total } = await store.violations.list('acme', query, page);
  expect(total).toMatchObject({ isExact: true });
  return total?.count ?? null;
}

/** Lists, pages and counts of drawn searches are those of the oracle. */
function searchesOf(store: Store, all: readonly SodViolation[], some: typeof conditions) {
  return fc.asyncProperty(
    fc.record({ conditions: some, sorters }),
    fc.constantFrom(250, 1_000),
    fc.integer({ min: 0, max: 40 }),
    async (query, limit, offset) => {
      const expected = all
        .filter((each) => query.conditions.every((condition) => meets(each, condition)))
        .toSorted(inOrder(query.sorters))
        .map(({ id }) => id);
      expect((await readAll(store, query, limit)).map(({ id }) => id)).toEqual(expected);
      expect(await countOf(store, query)).toBe(expected.length);
      const page = { limit: 20, offset: offset + 1, after: null };
      const { violations } = await store.violations.list('acme', { ...query, now: NOW }, page);
      expect(violations.map(({ id }) => id)).toEqual(expected.slice(offset + 1, offset + 21));
    },
  );
}

/** The reads of the register. */
export function describeViolations(engine: StoreEngine): void {
  describe('violations', () => {
    test('are listed by pages, counted and exported as a brute-force search finds them', async () => {
      await using database = await openFilled(engine);
      const { store } = database;
      const all: SodViolation[] = [];
      await using exported = await store.violations.export('acme', { conditions: [], sorters: [], now: NOW });
      for await (const each of exported.violations) all.push(each);
      expect(all.map(({ id }) => id).toSorted()).toEqual(ALL.map(({ id }) => id).toSorted());
      await fc.assert(searchesOf(store, all, conditions), runs(60));
    });

    test('are counted by status and level as a brute-force search counts them', async () => {
      await using database = await openFilled(engine);
      const some = fc.array(
        fc.oneof(
          textual('status', oneOf(...SOD_VIOLATION_STATUSES)),
          textual('level', oneOf(...SOD_VIOLATION_LEVELS)),
          fc.record({
            field: fc.constant('status' as const),
            operator: fc.constant('eq' as const),
            values: presentStatus,
          }),
        ),
        { maxLength: 4 },
      );
      const all = await readAll(database.store, { conditions: [], sorters: [] }, 1_000);
      const property = fc.asyncProperty(some, async (drawn) => {
        const expected = all.filter((each) => drawn.every((condition) => meets(each, condition)));
        expect(await countOf(database.store, { conditions: drawn })).toBe(expected.length);
      });
      await fc.assert(property, runs(60));
    });

    test('beyond the bound are counted up to it, and what is said to be exact is', async () => {
      await using filled = await openFilled(engine);
      const all = await readAll(filled.store, { conditions: [], sorters: [] }, 1_000);
      const database = await openEngineDatabase(filled.url);
      onTestFinished(() => database.close());
      const violations = createViolationStore(database, COUNTED_MAX);
      const seen = new Set<boolean>();
      const property = fc.asyncProperty(conditions, async (drawn) => {
        const expected = all.filter((each) => drawn.every((condition) => meets(each, condition))).length;
        const page = { limit: 1, offset: 0, after: null, isCounted: true };
        const { total } = await violations.list('acme', { conditions: drawn, sorters: [], now: NOW }, page);
        if (total === null) throw new Error('It was not counted.');
        seen.add(total.isExact);
        if (total.isExact) expect(total.count).toBe(expected);
        else expect(total.count > COUNTED_MAX && total.count <= expected).toBe(true);
        if (expected <= COUNTED_MAX) expect(total.isExact).toBe(true);
      });
      const exact: RegisterCondition = { field: 'targetId', operator: 'eq', values: ['t-1'] };
      await fc.assert(property, { ...runs(60), examples: [[[]], [[exact]]] });
      expect(seen).toEqual(new Set([true, false]));
    });

    test('that are present are not counted one by one', async () => {
      await using database = await openDatabase(engine);
      await database.execute(
        "insert into register_count values ('acme', 'p-1', 4, 2, 1), ('acme', 'p-2', 1, 3, 0), ('other', 'p-1', 4, 9, 9)",
      );
      const count = (...given: readonly (readonly [RegisterCondition['field'], ...string[]])[]) => {
        const conditions = given.map(([field, ...values]) => ({ field, operator: 'in' as const, values }));
        return countOf(database.store, { conditions });
      };
      expect(await count(['status', 'Open'])).toBe(5);
      expect(await count(['status', 'Mitigated', 'Open'])).toBe(6);
      expect(await count(['status', 'Open'], ['level', 'Critical'])).toBe(2);
      expect(await count(['status', 'Open'], ['level', 'Critical', 'Low'], ['level', 'Low'])).toBe(3);
      // There are no rows.
      expect(await count(['status', 'Open', 'Closed'])).toBe(0);
      expect(await count(['status', 'Open'], ['policyId', 'p-1'])).toBe(0);
      expect(await count(['level', 'Low'])).toBe(0);
    });

    test('are found by the names of many owners', async () => {
      await using database = await openFilled(engine);
      const { store } = database;
      const ids = Array.from({ length: MANY_OWNERS }, (_, at) => `i-${at}`);
      await importAll(store, 'acme', people(Object.fromEntries(ids.map((id) => [id, []]))));
      await database.execute(`update sod_violation set owner_id = 'i-' || (cast(substr(id, 3) as bigint) % ${MANY_OWNERS})
        where tenant = 'acme' and cast(substr(id, 3) as bigint) % 3 > 0`);
      const all = await readAll(store, { conditions: [], sorters: [] }, 1_000);
      const others = textual('status', oneOf(...SOD_VIOLATION_STATUSES));
      const some = fc
        .tuple(named('ownerName'), fc.option(others))
        .map(([owner, other]) => [owner, ...(other ? [other] : [])]);
      await fc.assert(searchesOf(store, all, some), runs(12));
    });

    test('are shown with the controls that were applied to them', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', [
        ...people({ 'i-1': [], 'i-2': [] }),
        ...['e-1', 'e-2'].map((id) => entitlement(id)),
        sodPolicy('p-1', { left: ['e-1'], right: ['e-2'] }),
        identity('i-1', { access: holds('ENTITLEMENT', 'e-1', 'e-2') }),
      ]);
      await database.execute(
        `insert into sod_violation values ('acme', 'v-1', 'i-1', 'p-1', 'Open', 4, '${NOW}', '${NOW}', null, null, null, null, 'Pay', 'Ada', '[]', null, null)`,
      );
      const exception = (id: string, approved: string, revoked: string) =>
        `insert into sod_exception (tenant, id, policy_id, identity_id, identity_created_ms, policy_created, starts, ends, justification, requester_id, created, approved, revoked, approved_terms, approved_items, decisions)
        select 'acme', '${id}', 'p-1', 'i-1', created_ms, sod_policy.created, '${minute(60)}', '${minute(-60)}', 'x', 'i-2', '${minute(60)}', ${approved}, ${revoked}, terms, '["e-1", "e-2"]', '[]'
        from identity, sod_policy where identity.id = 'i-1' and sod_policy.id = 'p-1'`;
      await database.execute(exception('x-1', 'null', `'${minute(30)}'`));
      await database.execute(exception('x-2', `'${minute(20)}'`, 'null'));
      for (const [id, exceptionId, applied, applier] of [
        ['a-2', 'x-2', minute(25), 'i-2'],
        ['a-1', 'x-1', minute(60), 'i-9'],
      ] as const)
        await database.execute(
          `insert into applied_control values ('acme', '${id}', 'v-1', 'c-1', 'Second signature', '${exceptionId}', '${applier}', '${applied}', null)`,
        );
      const query = { conditions: [], sorters: [], now: NOW };
      const { violations } = await store.violations.list('acme', query, { limit: 10, offset: 0, after: null });
      const shared = {
        violation: 'v-1',
        violationRef: { type: 'VIOLATION', id: 'v-1', name: 'Pay: Ada' },
        control: { type: 'CONTROL', id: 'c-1', name: 'Second signature' },
        expiration: minute(-60),
        comments: null,
      };
      expect(violations[0]?.appliedControls).toEqual([
        {
          ...shared,
          id: 'a-1',
          // The identity is gone.
          applier: { type: 'IDENTITY', id: 'i-9', name: 'i-9' },
          appliedDate: minute(60),
          status: 'Canceled',
          exceptionId: 'x-1',
        },
        {
          ...shared,
          id: 'a-2',
          applier: { type: 'IDENTITY', id: 'i-2', name: 'i-2' },
          appliedDate: minute(25),
          status: 'Active',
          exceptionId: 'x-2',
        },
      ]);
      expect((await store.violations.find('acme', 'v-1', NOW))?.appliedControls).toHaveLength(2);
      // What was approved is no longer there.
      await importAll(store, 'acme', [identity('i-1', { access: holds('ENTITLEMENT', 'e-1') })]);
      const later = await store.violations.find('acme', 'v-1', NOW);
      expect(later?.appliedControls.map(({ status }) => status)).toEqual(['Canceled', 'Canceled']);
    });

    test('are summarized from the kept counts, with the days without changes', async () => {
      await using database = await openDatabase(engine);
      await database.execute(
        "insert into register_count values ('acme', 'p-1', 4, 2, 1), ('acme', 'p-2', 1, 3, 0), ('acme', 'p-3', 1, 0, 0)",
      );
      for (const [id, created, closed] of [
        ['v-1', '2026-02-01T00:00:00.000Z', 'null'],
        ['v-2', '2026-02-02T00:00:00.000Z', 'null'],
        ['v-0', '2026-01-01T00:00:00.000Z', `'${NOW}'`],
      ])
        await database.execute(
          `insert into sod_violation values ('acme', '${id}', 'i-1', 'p-1', 'Open', 4, '${created}', '${NOW}', ${closed}, null, null, null, 'Pay', 'Ada', '[]', null, null)`,
        );
      const day = (count: number) => minute(count * 1_440).slice(0, 10);
      await database.execute(
        `insert into register_day (tenant, day, opened, ended) values ('acme', '${day(9)}', 4, 0), ('acme', '${day(1)}', 3, 1)`,
      );
      const summary = await database.store.violations.summarize('acme', { now: NOW, days: 3 });
      expect(summary).toMatchObject({
        open: 5,
        mitigated: 1,
        byLevel: [
          { level: 'Critical', open: 2, mitigated: 1 },
          { level: 'High', open: 0, mitigated: 0 },
          { level: 'Medium', open: 0, mitigated: 0 },
          { level: 'Low', open: 3, mitigated: 0 },
        ],
        byPolicy: [
          { policy: { type: 'SOD_POLICY', id: 'p-2', name: 'p-2' }, open: 3, mitigated: 0, oldest: null },
          { policy: { id: 'p-1', name: 'Pay' }, open: 2, mitigated: 1, oldest: '2026-02-01T00:00:00.000Z' },
        ],
        trend: [
          { date: day(2), opened: 0, ended: 0, open: 4 },
          { date: day(1), opened: 3, ended: 1, open: 6 },
          { date: day(0), opened: 0, ended: 0, open: 6 },
        ],
      });
    });

    test('are summarized anew after each change by another process', async () => {
      await using database = await openDatabase(engine);
      const { violations } = database.store;
      const { register } = await database.openAnother();
      await importAll(database.store, 'acme', people({ 'i-1': [] }));
      const nowMs = Date.parse(NOW);
      const [claim] = await register.claim({ nowMs, leaseMs: 60_000, limit: 1 });
      if (claim === undefined) throw new Error('There is no register to claim.');
      const policy = { policyId: 'p', policyName: 'Pay', levelRank: 1, criteria: '[]' };
      const open = async (identityId: string) => {
        const found = { ...policy, identityId, targetName: 'Ada', exception: null };
        const batch = { at: NOW, opened: [found], changed: [], ended: [], due: [] };
        await register.apply(claim, batch);
      };
      const counted = async () =>
        (await violations.summarize('acme', { now: NOW, days: 1 })).byPolicy.map((each) => [
          each.policy.name,
          each.open,
        ]);
      expect([await counted(), await counted()]).toEqual([[], []]);
      await open('i-1');
      expect([await counted(), await counted()]).toEqual([[['Pay', 1]], [['Pay', 1]]]);
      await open('i-2');
      expect(await counted()).toEqual([['Pay', 2]]);
    });
  });
}
