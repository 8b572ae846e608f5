import { randomUUID } from 'node:crypto';
import {
  type AccessModelRecord,
  type AuditContext,
  type AuthProfile,
  type IdentityTie,
  ok,
  planImport,
} from '@access-admin/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { tenantScope } from '../src/engine/scope.ts';
import { readTies } from '../src/record/ties/read.ts';
import { recordTies, type Tying } from '../src/record/ties/record.ts';
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
  const read = async (identityIds: readonly string[], now = NOW): Promise<readonly IdentityTie[]> => {
    const ties = await shared.database.read((db) => readTies(db, { tenant, now }, identityIds));
    return ties.toSorted((one, other) => (one.identityId < other.identityId ? -1 : 1));
  };
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

  test('are read between the given identities alone, for 24 hours', async () => {
    await record(['m-1', 'm-2'], ['i-1', 'i-2'], hoursAgo(1));
    await record(['i-1'], ['m-2'], hoursAgo(2));
    await record(['i-2'], ['i-1'], hoursAgo(24));
    expect(await read(['i-1', 'm-2', 'i-9'])).toEqual([
      { identityId: 'i-1', makerId: 'm-2', made: hoursAgo(1) },
      { identityId: 'm-2', makerId: 'i-1', made: hoursAgo(2) },
    ]);
    expect(await read(['i-1', 'i-2'])).toEqual([]);
    expect(await read(['m-1', 'm-2'])).toEqual([]);
    await record(['m-2'], ['i-1'], hoursAgo(3));
    expect(await read(['i-1', 'm-2'])).toContainEqual({ identityId: 'i-1', makerId: 'm-2', made: hoursAgo(1) });
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

    test('by a change of the type or the application of an auth profile, to all who have it', async () => {
      await open();
      const tiesTo = async (now = NOW) =>
        (await read(['i-ada', 'i-1', 'i-2'], now)).map(({ identityId, made }) => `${identityId} ${made}`);
      const patch = (fields: Partial<AuthProfile>, auditContext = asAda()) =>
        shared.store.authProfiles.change(auditContext, 'ip-2', { decide: (before) => ok({ ...before, ...fields }) });
      await importAll(shared.store, tenant, [identity('i-2', { identityProfile: 'ip-2' })]);
      await patch({ offNetwork: true });
      await patch({ type: 'MFA' }, actIn(tenant));
      expect(await tiesTo()).toEqual([]);
      await patch({ applicationId: 'directory' });
      expect(await tiesTo()).toEqual([`i-2 ${NOW}`]);
      const later = hoursAgo(-5);
      await importAs(asAda(later), [
        identityProfile('ip', { authProfile: { type: 'PTA', applicationName: 'Elsewhere' } }),
        identityProfile('ip-2', { authProfile: { applicationId: 'directory', type: 'MFA' } }),
      ]);
      expect(await tiesTo(later)).toEqual([`i-1 ${later}`, `i-2 ${NOW}`]);
      // Whoever has the profile later is tied too, and whoever has left it stays so.
      await importAll(shared.store, tenant, [identity('i-1', { identityProfile: 'ip-2' })]);
      expect((await tiesTo(later)).toSorted()).toEqual([`i-1 ${NOW}`, `i-1 ${later}`, `i-2 ${NOW}`]);
      expect(await tiesTo(hoursAgo(-24))).toEqual([`i-1 ${later}`]);
      expect(await tiesTo(hoursAgo(-29))).toEqual([]);
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
