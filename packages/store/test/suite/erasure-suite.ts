import { createHash } from 'node:crypto';
import { createAttestations, findChainBreak } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { ErasureClaim, Store } from '../../src/index.ts';
import { allOf } from '../all-of.ts';
import { actIn, deletion, identity, identityProfile, importAll, NOW } from '../model-records.ts';
import { newCheck } from '../new-check.ts';
import { newScan } from '../new-report.ts';
import { openRaw, type Row } from '../raw-database.ts';
import { type OpenedDatabase, openDatabase, type StoreEngine } from '../store-engine.ts';

const NOW_MS = Date.parse(NOW);
const AFTER_MS = 600_000;
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

async function begin({ erasures }: Store, id = 'i-cleo'): Promise<string> {
  const begun = await erasures.begin(ACT, id, async () => true);
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
      {
        await using raw = await openRaw(database);
        await raw.insert('sod_violation', [
          violation('v-3', { status: 'Open', closed: null, former_owner_id: null, ended_owner_name: null }),
        ]);
      }
      await begin(store);
      expect(await eraseAt(store, NOW_MS)).toBe('later');
      expect(await eraseAt(store, NOW_MS + 200_000)).toBe('nothing');
      expect(await eraseAt(store, NOW_MS + AFTER_MS)).toBe('later');
      expect(await tablesWith(database, TEXTS)).toEqual(['identity_erasure', 'sod_violation']);
      await database.execute(`update sod_violation set closed = '${NOW}', status = 'Closed' where id = 'v-3'`);
      expect(await eraseAt(store, NOW_MS + 2 * AFTER_MS)).toBe('done');
      expect(await tablesWith(database, TEXTS)).toEqual([]);
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
      const attestations = createAttestations();
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
  });
}
