import { createHash } from 'node:crypto';
import { createAttestations, ERASED_FIELD, ERASURE_OPERATION, findChainBreak } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { ErasureClaim, Store } from '../../src/index.ts';
import { allOf } from '../all-of.ts';
import {
  actIn,
  deletion,
  entitlement,
  identity,
  identityProfile,
  importAll,
  NOW,
  sodPolicy,
} from '../model-records.ts';
import { newCheck } from '../new-check.ts';
import { newScan } from '../new-report.ts';
import { openRaw, type Row } from '../raw-database.ts';
import { type OpenedDatabase, openDatabase, type StoreEngine } from '../store-engine.ts';
import { source } from './source-suite.ts';

const NOW_MS = Date.parse(NOW);
const AFTER_MS = 600_000;
const HOUR_MS = 3_600_000;
const FIELDS = {
  uid: 'cleo.smith',
  displayName: 'Cleo Smith',
  alias: 'CleoS',
  firstname: 'Cleopatra',
  lastname: 'Smith-Jones',
  email: 'cleo@corp.example',
  personalEmail: 'cleo@home.example',
  phone: '+49 30 4711',
  workPhone: '+49 30 4712',
  identificationNumber: 'E4713',
  attributes: { badge: 'B4714' },
} as const;
const TEXTS = [
  'i-cleo',
  ...Object.values(FIELDS).flatMap((value) => (typeof value === 'string' ? value : Object.values(value))),
];
const PEOPLE = [
  identityProfile('ip'),
  identity('i-cleo', { ...FIELDS, capabilities: ['HELPDESK'] }),
  identity('i-ada', { displayName: 'Ada Young', capabilities: ['HELPDESK'] }),
];
const ACT = actIn('acme');
const PAUSE = () => {};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The tables that have some of these texts. */
async function tablesWith(database: OpenedDatabase, texts: readonly string[]): Promise<readonly string[]> {
  await using raw = await openRaw(database);
  const found: string[] = [];
  for (const [table] of await raw.tables()) {
    // Until the next round of the register.
    if (table === 'identity_deletion') continue;
    const rows = JSON.stringify(await raw.rows(table));
    if (texts.some((text) => rows.includes(text))) found.push(table);
  }
  return found.toSorted();
}

async function rowsOf(database: OpenedDatabase, table: string): Promise<readonly Row[]> {
  await using raw = await openRaw(database);
  return await raw.rows(table);
}

const violation = (id: string, fields: Row = {}): Row => ({
  tenant: 'acme',
  id,
  identity_id: 'i-cleo',
  policy_id: 'p',
  status: 'Closed',
  level_rank: 1,
  created: NOW,
  modified: NOW,
  closed: NOW,
  owner_id: null,
  exception_id: null,
  expiration: null,
  policy_name: 'Policy',
  target_name: 'Cleo Smith',
  criteria: '[]',
  ended_owner_name: 'Ada Young',
  former_owner_id: 'i-ada',
  ...fields,
});

const OF_OTHERS = violation('v-2', {
  identity_id: 'i-ada',
  target_name: 'Ada Young',
  ended_owner_name: 'Cleo Smith',
  former_owner_id: 'i-cleo',
});

/** A tenant in which a deleted identity is named wherever one can be. */
async function openWorld(engine: StoreEngine): Promise<OpenedDatabase> {
  const database = await openDatabase(engine);
  const { store } = database;
  await importAll(store, 'acme', PEOPLE);
  await store.checks.enqueue(newCheck('c-1', { identityId: 'i-cleo', clientMetadata: { asked: 'i-cleo' } }), 100);
  const checks = await store.checks.claim({ nowMs: NOW_MS, leaseMs: 1_000, limit: 1 });
  await store.checks.complete(
    checks.map((check) => ({ ...check, state: 'SUCCESS', completed: NOW, result: '{"violationCount":0}' }) as never),
  );
  await store.reports.enqueue(newScan('r-1', { question: { identityId: 'i-cleo' } }), 100);
  await using raw = await openRaw(database);
  await raw.insert('sod_violation', [violation('v-1'), OF_OTHERS]);
  const line = { tenant: 'acme', report_id: 'r-1', number: 0, identity_id: 'i-cleo', display_name: 'Cleo Smith' };
  await raw.insert('sod_report_violation', [
    { ...line, change: 'NEW', exception_id: null, exception_end: null, items: '[]' },
    {
      ...line,
      identity_id: 'i-ada',
      display_name: 'Ada Young',
      change: 'NEW',
      exception_id: null,
      exception_end: null,
      items: '[]',
    },
  ]);
  await raw.insert('sod_report_entry', [
    { ...line, list: 'STEP', content: '{"approver":{"type":"IDENTITY","id":"i-cleo","name":"Cleo Smith"}}' },
  ]);
  await database.execute(
    `update sod_report set completed = '${NOW}', state = 'SUCCESS', requested_by = '["c","i-cleo","Cleo Smith"]'`,
  );
  await raw.insert('mail', [
    {
      tenant: 'acme',
      id: 'm-1',
      kind: 'sign-in-link',
      recipient_id: 'i-cleo',
      data: '{}',
      secret: null,
      created: NOW,
      due_ms: NOW_MS,
      expires_ms: NOW_MS * 2,
      failures: 0,
      is_of_period: 0,
      fence: 0,
      claimable_at_ms: 0,
    },
  ]);
  await importAll(store, 'acme', [deletion('identity', 'i-cleo')]);
  return database;
}

async function begin({ erasures }: Store, id = 'i-cleo', auditContext = ACT): Promise<string> {
  const begun = await erasures.begin(auditContext, id, async () => true);
  if (!begun.ok) throw new Error(JSON.stringify(begun.failure));
  return begun.value.pseudonym;
}

async function claim({ erasures }: Store, nowMs: number): Promise<ErasureClaim | undefined> {
  return (await erasures.claim({ nowMs, leaseMs: 1_000, limit: 1 }))[0];
}

async function eraseAt(store: Store, nowMs: number): Promise<string> {
  const claimed = await claim(store, nowMs);
  return claimed === undefined ? 'nothing' : store.erasures.erase(claimed, { nowMs, pause: PAUSE });
}

/** Inserts an open violation, which an erasure waits for. */
async function openViolation(database: OpenedDatabase): Promise<void> {
  await using raw = await openRaw(database);
  await raw.insert('sod_violation', [
    violation('v-3', { status: 'Open', closed: null, former_owner_id: null, ended_owner_name: null }),
  ]);
}

const endViolation = (database: OpenedDatabase) =>
  database.execute(`update sod_violation set closed = '${NOW}', status = 'Closed' where id = 'v-3'`);

/** Erases, and does something before the first statement. */
async function eraseBehind(store: Store, act: () => Promise<unknown>): Promise<string> {
  const claimed = await claim(store, NOW_MS + AFTER_MS);
  if (claimed === undefined) throw new Error('There is nobody to erase.');
  let isDone = false;
  const pause = async () => {
    if (isDone) return;
    isDone = true;
    await act();
  };
  return store.erasures.erase(claimed, { nowMs: NOW_MS + AFTER_MS, pause });
}

/** The first entry of the log that does not verify, and why; null where all do. */
async function findFault({ audit }: Store): Promise<unknown> {
  const attestations = createAttestations<object>();
  let last: { readonly sequence: number; readonly hash: string | null } = { sequence: 0, hash: null };
  for await (const event of audit.export('acme')) {
    const fault = findChainBreak({ ...event }, last, sha256, attestations);
    if (fault !== null) return [event.sequence, fault];
    last = event;
  }
  return attestations.first();
}

/** Deletes identities, and erases them. */
async function deleteAndErase({ store }: OpenedDatabase, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await importAll(store, 'acme', [deletion('identity', id)]);
    await begin(store, id);
    expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
  }
}

export function describeErasures(engine: StoreEngine): void {
  describe('the erasure of a person', () => {
    test('replaces the texts of the person by the pseudonym wherever they stand', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      expect(await tablesWith(database, TEXTS)).toEqual(
        expect.arrayContaining([
          'audit_event',
          'audit_event_member',
          'event',
          'mail',
          'sod_check',
          'sod_report',
          'sod_report_entry',
          'sod_report_violation',
          'sod_violation',
        ]),
      );
      const pseudonym = await begin(store);
      expect(pseudonym).toMatch(/^erased-[0-9a-f]{8}$/);
      expect(await eraseAt(store, NOW_MS)).toBe('later');
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      expect(await tablesWith(database, TEXTS)).toEqual([]);
      expect(await tablesWith(database, [pseudonym])).toEqual([
        'audit_event',
        'audit_event_member',
        'event',
        'identity_erasure',
        'sod_check',
        'sod_report',
        'sod_report_entry',
        'sod_report_violation',
        'sod_violation',
      ]);
      const records = await store.persons.read('acme', 'i-cleo', PAUSE);
      expect(records === null ? [] : await allOf(records)).toEqual([]);
    });

    test('leaves others as they are', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const pseudonym = await begin(store);
      await eraseAt(store, NOW_MS + AFTER_MS);
      const violations = await rowsOf(database, 'sod_violation');
      expect(violations.find(({ id }) => id === 'v-1')).toMatchObject({
        identity_id: pseudonym,
        target_name: pseudonym,
        ended_owner_name: 'Ada Young',
        former_owner_id: 'i-ada',
        policy_name: 'Policy',
      });
      expect(violations.find(({ id }) => id === 'v-2')).toMatchObject({
        identity_id: 'i-ada',
        target_name: 'Ada Young',
        ended_owner_name: pseudonym,
        former_owner_id: pseudonym,
      });
      const lines = await rowsOf(database, 'sod_report_violation');
      expect(lines.map(({ display_name }) => display_name).toSorted()).toEqual(['Ada Young', pseudonym]);
      const events = (await rowsOf(database, 'event')).filter(({ type }) => type === 'auth-user.capabilities-changed');
      expect(events.map(({ resource_id, data }) => [resource_id, JSON.parse(String(data))])).toEqual(
        expect.arrayContaining([
          ['i-ada', { id: 'i-ada', displayName: 'Ada Young', before: [], after: ['HELPDESK'] }],
          [pseudonym, { id: pseudonym, displayName: pseudonym, before: [], after: ['HELPDESK'] }],
        ]),
      );
    });

    test('looks again at what is in use, and at what was written meanwhile', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await openViolation(database);
      await begin(store);
      expect(await eraseAt(store, NOW_MS)).toBe('later');
      expect(await eraseAt(store, NOW_MS + 200_000)).toBe('nothing');
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('later');
      expect(await tablesWith(database, TEXTS)).toEqual(['identity_erasure', 'sod_violation']);
      await endViolation(database);
      expect(await eraseAt(store, NOW_MS + 2 * AFTER_MS)).toBe('done');
      expect(await tablesWith(database, TEXTS)).toEqual([]);
    });

    test('looks again at least every hour, and at once where it is asked for anew', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await openViolation(database);
      await begin(store);
      let nowMs = NOW_MS;
      for (let look = 0; look < 10; look += 1) {
        expect(await eraseAt(store, nowMs)).toBe('later');
        const dueMs = Number((await rowsOf(database, 'identity_erasure'))[0]?.['due_ms']);
        expect(dueMs - nowMs).toBeGreaterThan(0);
        expect(dueMs - nowMs).toBeLessThanOrEqual(HOUR_MS);
        nowMs = dueMs;
      }
      const first = await claim(store, nowMs);
      if (first === undefined) throw new Error('There is nobody to erase.');
      await endViolation(database);
      const anew = new Date(nowMs).toISOString();
      await begin(store, 'i-cleo', { ...ACT, time: anew });
      const requests = (await allOf(store.audit.export('acme'))).flatMap(({ changes }) =>
        changes.filter(({ field }) => field === 'erasureRequested'),
      );
      expect(requests).toEqual([
        { field: 'erasureRequested', before: null, after: NOW },
        { field: 'erasureRequested', before: NOW, after: anew },
      ]);
      expect(await store.erasures.erase(first, { nowMs, pause: PAUSE })).toBe('lost');
      expect(await eraseAt(store, nowMs)).toBe('later');
      expect(await eraseAt(store, nowMs + AFTER_MS)).toBe('done');
      expect(await tablesWith(database, TEXTS)).toEqual([]);
    });

    test('keeps what the erasure of another person has replaced meanwhile', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const other = await database.openAnother();
      await importAll(store, 'acme', [deletion('identity', 'i-ada')]);
      const both = {
        target: { type: 'IDENTITY', id: 'i-cleo', name: 'Cleo Smith' },
        owner: { type: 'IDENTITY', id: 'i-ada', name: 'Ada Young' },
      };
      {
        await using raw = await openRaw(database);
        const [row] = (await raw.rows('event')).slice(-1);
        await raw.insert('event', [
          { ...row, sequence: 9_000, id: 'e-both', resource_id: 'v-9', data: JSON.stringify(both) },
        ]);
      }
      const cleo = await begin(store);
      const ada = await begin(store, 'i-ada');
      const nowMs = NOW_MS + AFTER_MS;
      const claims = await store.erasures.claim({ nowMs, leaseMs: 1_000, limit: 2 });
      const [first, second] = [cleo, ada].map((pseudonym) => claims.find((each) => each.pseudonym === pseudonym));
      if (first === undefined || second === undefined) throw new Error('There are not two to erase.');
      const pace = createPace();
      const steps = await Promise.all([
        store.erasures.erase(first, { nowMs, pause: pace.wait }).finally(pace.leave),
        other.erasures.erase(second, { nowMs, pause: pace.wait }).finally(pace.leave),
      ]);
      expect(steps).toEqual(['done', 'done']);
      const row = (await rowsOf(database, 'event')).find(({ id }) => id === 'e-both');
      expect(JSON.parse(String(row?.['data']))).toEqual({
        target: { type: 'IDENTITY', id: cleo, name: cleo },
        owner: { type: 'IDENTITY', id: ada, name: ada },
      });
      expect(await tablesWith(database, ['Cleo Smith', 'Ada Young'])).toEqual([]);
    });

    test('names the pseudonym of whoever asked for it and is erased before it ends', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await importAll(store, 'acme', [identity('i-admin')]);
      await openViolation(database);
      await begin(store, 'i-cleo', { ...ACT, actor: { ...ACT.actor, identityId: 'i-admin' } });
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('later');
      await importAll(store, 'acme', [deletion('identity', 'i-admin')]);
      const records = await store.persons.read('acme', 'i-admin', PAUSE);
      expect(records === null ? [] : await allOf(records)).toContainEqual(
        expect.objectContaining({ kind: 'erasure', id: 'i-cleo' }),
      );
      const pseudonym = await begin(store, 'i-admin');
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      expect(await tablesWith(database, ['i-admin'])).toEqual([]);
      const count = (await allOf(store.audit.export('acme'))).length;
      await endViolation(database);
      const denied = { auditContext: ACT, resource: { type: 'IDENTITY', id: 'i-cleo' }, count: 1 } as const;
      await store.audit.recordRepeatedDenials('acme', [denied]);
      expect(await eraseAt(store, NOW_MS + 2 * AFTER_MS)).toBe('done');
      expect(await tablesWith(database, ['i-admin'])).toEqual([]);
      const attestations = (await allOf(store.audit.export('acme'))).slice(count + 1);
      expect(attestations.map(({ actor }) => actor.identityId)).toEqual([pseudonym]);
    });

    test('waits for a load that the person has committed, and erases it once that has ended', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await importAll(store, 'acme', [source('erp')]);
      const load = { source: 'erp', loadId: 'l-1' };
      const by = { ...ACT, actor: { ...ACT.actor, identityId: 'i-cleo' } };
      expect((await store.loads.create(ACT, { ...load, mode: 'DELTA', dryRun: false })).ok).toBe(true);
      expect((await store.loads.commit(by, { ...load, confirmed: null })).ok).toBe(true);
      await begin(store);
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('later');
      expect(await tablesWith(database, TEXTS)).toEqual(['identity_erasure', 'source_load']);
      const [running] = await store.loads.claim({ nowMs: NOW_MS, leaseMs: 1_000, limit: 1 });
      if (running === undefined) throw new Error('There is no load.');
      while ((await store.loads.advance(running, { now: NOW, pause: PAUSE })) === 'more');
      expect(await eraseAt(store, NOW_MS + 2 * AFTER_MS)).toBe('done');
      expect(await tablesWith(database, TEXTS)).toEqual([]);
    });

    test('replaces the person in the fix plan of another, and as owner of what the register has not yet taken from it', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      {
        await using raw = await openRaw(database);
        await raw.insert('sod_report_entry', [
          {
            tenant: 'acme',
            report_id: 'r-1',
            number: 1,
            identity_id: 'i-ada',
            display_name: 'Ada Young',
            list: 'STEP',
            content: '{"approver":{"type":"IDENTITY","id":"i-cleo","name":"Cleo Smith"}}',
          },
        ]);
        const owned = { owner_id: 'i-cleo', former_owner_id: null };
        await raw.insert('sod_violation', [{ ...OF_OTHERS, ...owned, id: 'v-4' }]);
      }
      const pseudonym = await begin(store);
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      expect(await tablesWith(database, TEXTS)).toEqual([]);
      const entries = await rowsOf(database, 'sod_report_entry');
      expect(entries.find(({ number }) => number === 1)).toMatchObject({
        identity_id: 'i-ada',
        display_name: 'Ada Young',
        content: JSON.stringify({ approver: { type: 'IDENTITY', id: pseudonym, name: pseudonym } }),
      });
      const violations = await rowsOf(database, 'sod_violation');
      expect(violations.find(({ id }) => id === 'v-4')).toMatchObject({
        owner_id: null,
        former_owner_id: pseudonym,
        ended_owner_name: pseudonym,
      });
    });

    test('waits for a dry run whose policies name the person', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const owned = sodPolicy(
        'p-9',
        { left: ['e-1'], right: ['e-2'] },
        { ownerRef: { type: 'IDENTITY', id: 'i-cleo', name: 'Cleo Smith' } },
      );
      const made = { creatorId: null, modifierId: null, created: NOW, modified: NOW };
      const dryRun = { add: [{ ...owned, ...made }], change: [], remove: [] };
      await store.reports.enqueue(newScan('r-2', { kind: 'DRY_RUN', dryRun }), 100);
      await begin(store);
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('later');
      const records = await store.persons.read('acme', 'i-cleo', PAUSE);
      expect(records === null ? [] : await allOf(records)).toContainEqual(
        expect.objectContaining({ kind: 'reportRequest', reportId: 'r-2' }),
      );
      const running = await store.reports.claim({ nowMs: NOW_MS, leaseMs: 1_000 });
      if (running === null) throw new Error('There is no report.');
      const failed = { state: 'ERROR', completed: NOW, totals: null, message: 'no room' } as const;
      expect(await store.reports.complete(running, failed, 100)).toBe(true);
      expect(await eraseAt(store, NOW_MS + 2 * AFTER_MS)).toBe('done');
      expect(await tablesWith(database, TEXTS)).toEqual([]);
    });

    test('leaves the events of other things with the id of the person findable by it', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      {
        await using raw = await openRaw(database);
        const { sequence } = await store.audit.head('acme');
        const [row] = (await raw.rows('audit_event')).slice(-1);
        const several = { ...row, resource_id: null, identity_id: null, changes: '[]', erased: null };
        await raw.insert('audit_event', [
          { ...several, sequence: sequence + 1_000, resource_type: 'ACCOUNT' },
          { ...several, sequence: sequence + 1_001, resource_type: 'IDENTITY' },
          { ...several, sequence: sequence + 1_002, resource_type: 'SESSION', resource_id: 's-1' },
        ]);
        await raw.insert(
          'audit_event_member',
          [1_000, 1_001, 1_002].map((number) => ({
            tenant: 'acme',
            resource_id: 'i-cleo',
            sequence: sequence + number,
          })),
        );
      }
      await begin(store);
      await eraseAt(store, NOW_MS + AFTER_MS);
      const members = await rowsOf(database, 'audit_event_member');
      expect(members.filter(({ resource_id }) => resource_id === 'i-cleo')).toHaveLength(1);
    });

    test('has the equal pseudonym each time, and begins again once the person is named again', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const pseudonym = await begin(store);
      expect(await begin(store)).toBe(pseudonym);
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      expect(await eraseAt(store, NOW_MS + 2 * AFTER_MS)).toBe('nothing');
      await importAll(store, 'acme', PEOPLE);
      expect(await store.erasures.begin(ACT, 'i-cleo', async () => true)).toMatchObject({
        failure: { type: 'Conflict' },
      });
      await importAll(store, 'acme', [deletion('identity', 'i-cleo')]);
      expect(await tablesWith(database, TEXTS)).not.toEqual([]);
      expect(await store.erasures.begin(ACT, 'i-cleo', async () => false)).toEqual({
        ok: true,
        value: { id: 'i-cleo', pseudonym },
      });
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      expect(await tablesWith(database, TEXTS)).toEqual([]);
    });

    test('of which an export reads a part before and a part after it goes on to the events that attest it', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const denied = { auditContext: ACT, resource: { type: 'IDENTITY', id: 'i-cleo' }, count: 1 } as const;
      await store.audit.recordRepeatedDenials('acme', Array(300).fill(denied));
      await begin(store);
      const attestations = createAttestations<object>();
      let last: { readonly sequence: number; readonly hash: string | null } = { sequence: 0, hash: null };
      let erasedCount = 0;
      for await (const event of store.audit.export('acme')) {
        if (last.sequence === 0) await eraseAt(store, NOW_MS);
        expect(findChainBreak({ ...event }, last, sha256, attestations)).toBeNull();
        if (event.erased !== undefined) erasedCount += 1;
        last = event;
      }
      expect(attestations.first()).toBeNull();
      expect(last).toMatchObject({ hash: (await store.audit.head('acme')).hash });
      expect(erasedCount).toBeGreaterThan(10);
      expect(erasedCount).toBeLessThan(300);
    });

    test('of the one who asked for an erasure leaves what that one has erased attested', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await importAll(store, 'acme', [identity('i-admin', {})]);
      const act = { ...ACT, actor: { ...ACT.actor, identityId: 'i-admin' } };
      expect(await store.erasures.begin(act, 'i-cleo', async () => true)).toMatchObject({ ok: true });
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      expect(await findFault(store)).toBeNull();
      await deleteAndErase(database, ['i-admin']);
      expect(await tablesWith(database, ['i-admin'])).toEqual([]);
      expect(await findFault(store)).toBeNull();
    });

    test('leaves what an attestation tells, whatever the id of the person is', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await begin(store);
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      const log = await allOf(store.audit.export('acme'));
      const entries = log
        .filter(({ operation }) => operation === ERASURE_OPERATION)
        .flatMap(({ changes }) => changes)
        .flatMap(({ field, after }) => (field === ERASED_FIELD && Array.isArray(after) ? after : []));
      const hash = entries[0]?.hash;
      await importAll(store, 'acme', [identity(hash, {})]);
      await deleteAndErase(database, [hash]);
      expect(await findFault(store)).toBeNull();
    });

    test('leaves words and ids of something else, whatever the id of the person is', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const policy = sodPolicy('1001', { left: ['e-1'], right: ['e-2'] }, { name: 'Payments' });
      await importAll(store, 'acme', [entitlement('e-1'), entitlement('e-2'), policy]);
      const ids = ['1001', policy.level, 'e-1'];
      await importAll(
        store,
        'acme',
        ids.map((id) => identity(id, {})),
      );
      const ofPolicies = async () =>
        (await Promise.all([rowsOf(database, 'event'), rowsOf(database, 'audit_event')])).map((rows) =>
          rows.filter(({ type, resource_type }) => /policy/i.test(String(type ?? resource_type))),
        );
      const before = await ofPolicies();
      expect(before.map(({ length }) => length)).toEqual([1, 1]);
      await deleteAndErase(database, ids);
      expect(await ofPolicies()).toEqual(before);
      expect(await findFault(store)).toBeNull();
    });

    test('lets nothing else be changed in the audit log, and nothing once it is done', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await importAll(store, 'other', PEOPLE);
      const refused = (sql: string) => expect(database.execute(sql), sql).rejects.toThrow('append-only');
      const ofPerson = "set erased = '{}', resource_id = 'PSEUDONYM' where resource_id = 'i-cleo'";
      await refused("update audit_event set erased = '{}'");
      const pseudonym = await begin(store);
      for (const set of [
        "changes = '[]'",
        "erased = '{}', time = 'x'",
        "erased = '{}', hash = 'x'",
        "erased = '{}', previous_hash = 'x'",
        "erased = '{}', operation = 'x'",
        "erased = '{}', resource_id = 'x'",
        `erased = '{}', resource_id = '${pseudonym}'`,
        `erased = '{}', identity_id = '${pseudonym}'`,
      ])
        await refused(`update audit_event set ${set}`);
      await refused(`update audit_event ${ofPerson.replace('PSEUDONYM', pseudonym)} and tenant = 'other'`);
      await refused("update audit_event_member set resource_id = 'x'");
      await refused(`update audit_event_member set resource_id = '${pseudonym}' where resource_id = 'i-ada'`);
      await refused(`update audit_event_member set sequence = 9999, resource_id = '${pseudonym}'`);
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      await refused("update audit_event set erased = '{}'");
    });

    test('is refused for an identity that exists, and for one that nothing names', async () => {
      await using database = await openWorld(engine);
      const { erasures } = database.store;
      expect(await erasures.begin(ACT, 'i-ada', async () => true)).toMatchObject({ failure: { type: 'Conflict' } });
      expect(await erasures.begin(ACT, 'i-nobody', async () => false)).toMatchObject({ failure: { type: 'NotFound' } });
      expect(await rowsOf(database, 'identity_erasure')).toEqual([]);
    });

    test('is refused for a pseudonym, also while an identity has it as its id, and in no other tenant', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const id = await begin(store);
      const refused = {
        failure: { type: 'Conflict', causes: [{ text: expect.stringContaining('is the pseudonym of') }] },
      };
      expect(await store.erasures.begin(ACT, id, async () => true)).toMatchObject(refused);
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('done');
      await importAll(store, 'acme', [identity(id, {})]);
      expect(await store.erasures.begin(ACT, id, async () => true)).toMatchObject(refused);
      await importAll(store, 'acme', [deletion('identity', id)]);
      expect(await store.erasures.begin(ACT, id, async () => true)).toMatchObject(refused);
      expect(await rowsOf(database, 'identity_erasure')).toHaveLength(1);
      expect(await store.erasures.begin(actIn('other'), id, async () => true)).toMatchObject({ ok: true });
    });

    test('ends where the identity is made again, and where another worker has it', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      await begin(store);
      const first = await claim(store, NOW_MS);
      const second = await claim(store, NOW_MS + 2_000);
      if (first === undefined || second === undefined) throw new Error('There is nobody to erase.');
      expect(await store.erasures.erase(first, { nowMs: NOW_MS, pause: PAUSE })).toBe('lost');
      await importAll(store, 'acme', PEOPLE);
      expect(await store.erasures.erase(second, { nowMs: NOW_MS, pause: PAUSE })).toBe('done');
      expect(await tablesWith(database, ['Cleo Smith'])).toContain('sod_violation');
      expect((await rowsOf(database, 'identity_erasure'))[0]).toMatchObject({ id: null, due_ms: null });
    });

    test('leaves an identity alone that is made again while it runs', async () => {
      await using database = await openWorld(engine);
      const { store } = database;
      const pseudonym = await begin(store);
      const eventsBefore = await rowsOf(database, 'event');
      const auditBefore = await allOf(store.audit.export('acme'));
      expect(await eraseBehind(store, () => importAll(store, 'acme', PEOPLE))).toBe('done');
      const events = (await rowsOf(database, 'event')).slice(eventsBefore.length);
      expect(JSON.stringify(events)).toContain('i-cleo');
      const recorded = (await allOf(store.audit.export('acme'))).slice(auditBefore.length);
      expect(JSON.stringify(recorded)).toContain('Cleo Smith');
      expect(JSON.stringify([events, recorded])).not.toContain(pseudonym);
      expect(recorded.every(({ erased }) => erased === undefined)).toBe(true);
    });
  });
}

/** Keeps two works at one pace: each waits until the other waits, too, or has left, so that both read a row before one changes it. */
function createPace() {
  let goOn: (() => void) | null = null;
  let hasOneLeft = false;
  const letGo = () => {
    goOn?.();
    goOn = null;
  };
  return {
    wait: async (): Promise<void> => {
      if (hasOneLeft) return;
      if (goOn !== null) return letGo();
      const { promise, resolve } = Promise.withResolvers<void>();
      goOn = resolve;
      await promise;
    },
    leave: (): void => {
      hasOneLeft = true;
      letGo();
    },
  };
}
