import { randomUUID } from 'node:crypto';
import {
  type AccessModelRecord,
  type AuditContext,
  type IdentityTie,
  ok,
  planImport,
  tiedUntil,
} from '@access-admin/domain';
import { seeds } from '@access-admin/test-depth';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { tenantScope } from '../src/engine/scope.ts';
import { type RecentTies, readTies } from '../src/ties/read.ts';
import { recordTies, type Tying } from '../src/ties/record.ts';
import { APPLICATION, actIn, asLines, deletion, identity, identityProfile, importAll, NOW } from './model-records.ts';
import { openShared, type Shared } from './shared-database.ts';

const NOW_MS = Date.parse(NOW);
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(NOW_MS - hours * HOUR_MS).toISOString();

describe('ties', () => {
  let shared: Shared;
  beforeAll(async () => {
    shared = await openShared(inject('engine'));
  });
  afterAll(() => shared.close());
  let tenant = '';
  beforeEach(() => {
    tenant = randomUUID();
  });

  const record = (makerIds: readonly string[], identityIds: Iterable<string>, made = NOW) => {
    const tying: Tying = { tenant, makerIds, madeMs: Date.parse(made) };
    return shared.database.write(tenantScope(tenant), (trx) => recordTies(trx, tying, identityIds));
  };
  const read = (identityIds: readonly string[], now = NOW): Promise<RecentTies> =>
    readTies(shared.database, { tenant, now }, identityIds);
  const stored = () =>
    shared.database.read((db) =>
      db
        .selectFrom('identity_tie')
        .select(['identity_id', 'maker_id', 'made_ms'])
        .where('tenant', '=', tenant)
        .orderBy('identity_id')
        .orderBy('maker_id')
        .execute(),
    );
  /** The pairs that are tied at present, as `identity maker`. */
  const pairs = async () => (await stored()).map(({ identity_id, maker_id }) => `${identity_id} ${maker_id}`);

  test('what is left out of a reading connects nobody, in random histories', async () => {
    for (const seed of seeds(60)) {
      tenant = randomUUID();
      const below = createRandom(seed);
      // Few makers of many identities, so that some have several makers and most have one.
      const makers = ['m-1', 'm-2', 'm-3', 'm-4'].slice(0, 1 + below(4));
      const others = Array.from({ length: 8 }, (_, at) => `i-${at}`);
      const everybody = [...makers, ...others];
      const draw = (from: readonly string[]) => from[below(from.length)] ?? '';
      const all: IdentityTie[] = [];
      for (let step = 0; step < 12; step++) {
        const made = hoursAgo(below(30));
        const maker = draw(makers);
        const identityIds = new Set(Array.from({ length: 1 + below(3) }, () => draw(everybody)));
        await record([maker], identityIds, made);
        for (const identityId of identityIds) all.push({ identityId, makerId: maker, made });
      }
      const pair = [draw(everybody), draw(everybody)] as const;
      const { ties } = await read(pair);
      expect([seed, tiedUntil(ties, pair, NOW)]).toEqual([seed, tiedUntil(all, pair, NOW)]);
    }
  });

  test('of very many identities those alone are read that can connect others', async () => {
    const many = Array.from({ length: 12_000 }, (_, at) => `i-${String(at).padStart(5, '0')}`);
    await record(['m-1'], many);
    expect((await read(['m-2', 'i-00007'])).ties).toHaveLength(1);
    // Another maker of two of them, the last of which is on the last page.
    await record(['m-2'], ['i-00003', 'i-11999'], hoursAgo(2));
    await record(['m-2'], ['i-11998'], hoursAgo(1));
    const { ties } = await read(['m-2', 'i-00007']);
    expect(ties).toHaveLength(2);
    expect(tiedUntil(ties, ['m-2', 'i-00007'], NOW)).toBe(hoursAgo(-23));
    // An identity that becomes a maker itself.
    await record(['i-00042'], ['i-new']);
    expect(tiedUntil((await read(['i-new', 'm-1'])).ties, ['i-new', 'm-1'], NOW)).toBe(hoursAgo(-24));
  });

  test('a reading is current until another tie is recorded, or the same one anew', async () => {
    const isCurrent = (ties: RecentTies) => shared.database.read((db) => ties.isCurrent(db));
    await record(['m-1'], ['i-1'], hoursAgo(1));
    const first = await read(['i-1', 'm-1']);
    expect(await isCurrent(first)).toBe(true);
    await record(['m-1'], ['i-1'], hoursAgo(2));
    expect(await isCurrent(first)).toBe(true);
    await record(['m-1'], ['i-1'], hoursAgo(0.5));
    expect(await isCurrent(first)).toBe(false);
    const second = await read(['i-1', 'm-1']);
    await record(['m-9'], ['i-9'], hoursAgo(23));
    expect(await isCurrent(second)).toBe(false);
  });

  test('old ties are removed while others are recorded, and never faster than they end', async () => {
    const old = Array.from({ length: 300 }, (_, at) => `o-${at}`);
    await record(['m-1'], old, hoursAgo(49));
    await record(['m-1'], ['kept'], hoursAgo(47));
    for (let count = 1; count <= 3; count++) await record(['m-1'], [`i-${count}`]);
    expect(await pairs()).toEqual(['i-1 m-1', 'i-2 m-1', 'i-3 m-1', 'kept m-1']);
  });

  describe('are made', () => {
    const asAda = (time = NOW): AuditContext => ({
      ...actIn(tenant, time),
      actor: { clientId: 'c', identityId: 'i-ada' },
    });
    const importAs = async (auditContext: AuditContext, records: readonly AccessModelRecord[]) => {
      const lines = asLines(records);
      const imported = await shared.store.accessModel.import({ auditContext, records: lines }, (base) =>
        planImport({ records: lines, base, caller: APPLICATION, now: auditContext.time }),
      );
      expect(imported.ok).toBe(true);
    };
    const open = () =>
      importAll(shared.store, tenant, [
        identityProfile('ip'),
        identityProfile('ip-2'),
        identity('i-ada', { capabilities: ['ORG_ADMIN'] }),
        ...['i-1', 'i-2', 'i-3', 'i-4'].map((id) => identity(id)),
      ]);

    test('by an import that creates or changes identities, whatever comes after', async () => {
      await open();
      expect(await pairs()).toEqual([]);
      await importAs(asAda(), [
        identity('i-1', { uid: 'other' }),
        identity('i-2', { identityProfile: 'ip-2' }),
        identity('i-3', { capabilities: ['POLICY_ADMIN'] }),
        identity('i-4', { displayName: 'Other', capabilities: ['HELPDESK'] }),
        identity('i-5'),
      ]);
      const made = ['i-1 i-ada', 'i-2 i-ada', 'i-3 i-ada', 'i-5 i-ada'];
      expect(await pairs()).toEqual(made);
      await importAs(asAda(), [deletion('identity', 'i-5')]);
      await importAs(actIn(tenant), [identity('i-5')]);
      expect(await pairs()).toEqual(made);
    });

    test('by an application that an identity made, also after its deletion', async () => {
      await open();
      const { clients } = shared.store;
      const client = { tenant, name: 'n', scopes: [], identityId: null, created: NOW, secretHash: 's' };
      const app = `app-${tenant}`;
      const next = `next-${tenant}`;
      const asApp: AuditContext = { ...actIn(tenant), actor: { clientId: app, identityId: null } };
      await clients.create(asAda(), { ...client, id: app });
      await clients.create(asApp, { ...client, id: next });
      await importAs({ ...asApp, actor: { clientId: next, identityId: null } }, [identity('i-5')]);
      expect(await pairs()).toEqual(['i-5 i-ada']);
      await clients.delete(asAda(), app);
      await importAs(asApp, [identity('i-6')]);
      expect(await pairs()).toEqual(['i-5 i-ada', 'i-6 i-ada']);
    });

    test('by another secret of a client, as by the client itself', async () => {
      await open();
      const { clients } = shared.store;
      const secret = { hash: 's', previousEndsMs: null, decide: () => ok(null) };
      const client = { tenant, name: 'n', scopes: [], created: NOW, secretHash: 's' };
      const app = `app-${tenant}`;
      await clients.create(actIn(tenant), { ...client, id: app, identityId: null });
      await clients.create(actIn(tenant), { ...client, id: `c-${tenant}`, identityId: 'i-1' });
      expect(await pairs()).toEqual([]);
      await clients.replaceSecret(asAda(), `c-${tenant}`, secret);
      expect(await pairs()).toEqual(['i-1 i-ada']);
      await clients.replaceSecret(asAda(), app, secret);
      await importAs({ ...actIn(tenant), actor: { clientId: app, identityId: null } }, [identity('i-5')]);
      expect(await pairs()).toEqual(['i-1 i-ada', 'i-5 i-ada']);
    });

    test('by a change that gives the capability to approve', async () => {
      await open();
      const give = (id: string, ...capabilities: readonly ('HELPDESK' | 'ORG_ADMIN')[]) =>
        shared.store.authUsers.change(asAda(), id, { decide: ({ user }) => ok({ ...user, capabilities }) });
      await give('i-1', 'HELPDESK');
      expect(await pairs()).toEqual([]);
      await give('i-1', 'ORG_ADMIN', 'HELPDESK');
      await give('i-1');
      expect(await pairs()).toEqual(['i-1 i-ada']);
    });

    test('by the use of a link, from then on, and by the removal of credentials of another', async () => {
      await open();
      const { signInLinks, credentials } = shared.store;
      const hash = `hash of ${tenant}`;
      await signInLinks.create(asAda(), { identityId: 'i-1', link: { hash, expiresMs: NOW_MS + 24 * HOUR_MS } }, () =>
        ok(null),
      );
      expect(await pairs()).toEqual([]);
      await importAll(shared.store, tenant, [deletion('identity', 'i-4')]);
      expect(await signInLinks.consume(tenant, hash, NOW_MS + 5 * HOUR_MS)).toBe(true);
      expect(await stored()).toEqual([{ identity_id: 'i-1', maker_id: 'i-ada', made_ms: NOW_MS + 5 * HOUR_MS }]);
      await credentials.removeAll(asAda(), 'i-2', { decide: () => ok(null) });
      await credentials.removeAll(asAda(), 'i-ada', { decide: () => ok(null) });
      await credentials.removeAll(actIn(tenant), 'i-3', { decide: () => ok(null) });
      expect(await pairs()).toEqual(['i-1 i-ada', 'i-2 i-ada']);
    });
  });
});

function createRandom(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}
