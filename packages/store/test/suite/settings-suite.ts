import {
  type AuthProfile,
  type Capability,
  DEFAULT_SIGN_IN_SETTINGS,
  type Failure,
  fail,
  failure,
  ok,
} from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import type { AuthUserView, Store } from '../../src/index.ts';
import { allOf } from '../all-of.ts';
import { newSession } from '../call-every-sign-in-method.ts';
import { actIn, deletion, exportAll, identity, identityProfile, importAll, NOW, people } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const REFUSED = failure('IllegalValue', 'somewhere', 'is refused');

const give = (store: Store, id: string, capabilities: readonly Capability[]) =>
  store.authUsers.change(actIn('acme'), id, { decide: ({ user }) => ok({ ...user, capabilities }) });

/** Removes the capabilities of an identity unless it is the last administrator. */
const demote = ({ user, otherOrgAdmins }: AuthUserView) =>
  otherOrgAdmins ? ok({ ...user, capabilities: [] }) : fail(failure('Conflict', '', 'last administrator'));

const LOGO = 'data:image/png;base64,iVBORw0KGgo=';

export function describeBranding(engine: StoreEngine): void {
  describe('branding', () => {
    test('has a logo that is read by its digest, until it is reset', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const set = (logo: string | null) =>
        store.branding.change(actIn('acme'), { decide: () => ok({ title: 'Example', logo, helpText: null }) });
      await set(LOGO);
      expect(await store.branding.read('acme')).toEqual({ title: 'Example', logo: LOGO, helpText: null });
      expect(JSON.stringify(await exportAll(store, 'acme'))).toContain(LOGO);
      const { logoDigest } = await store.branding.readShown('acme');
      expect(await store.branding.readLogo('acme', logoDigest ?? '')).toBe(LOGO);
      await set(null);
      expect(await store.branding.readShown('acme')).toEqual({ title: 'Example', logoDigest: null, helpText: null });
      expect(await store.branding.readLogo('acme', logoDigest ?? '')).toBeNull();
    });
  });
}

export function describeAuthUsers(engine: StoreEngine): void {
  describe('auth users', () => {
    test('an identity is an auth user of its identity profile', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const known = {
        email: 'ada@example.com',
        lastLoginTimestamp: 1_763_700_000_123,
        lastUnlockTimestamp: '2026-01-02T03:04:05.678Z',
      };
      await importAll(store, 'acme', [
        identityProfile('ip'),
        identity('i-1', { ...known, capabilities: ['HELPDESK'] }),
      ]);
      const { identityProfile: profile, kind: _, ...fields } = identity('i-1', known);
      expect(await store.authUsers.find('acme', 'i-1')).toEqual({
        ...fields,
        tenant: 'acme',
        profile,
        capabilities: ['HELPDESK'],
      });
      expect(await store.authUsers.find('other', 'i-1')).toBeNull();
      expect(await store.authUsers.find('acme', 'i-2')).toBeNull();
    });

    test('shows its sign-ins and its password here, and those of the import where there are none', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const imported = { lastPasswordChangeDate: '2026-01-02T03:04:05.678Z', lastLoginTimestamp: 5 };
      const records = [identityProfile('ip'), identity('i-1', { ...imported, currentLoginTimestamp: 6 })];
      const signInAt = (createdMs: number) =>
        store.sessions.create(actIn('acme'), newSession(`s-${createdMs}`, { createdMs }));
      await importAll(store, 'acme', records);
      const shown = () => store.authUsers.find('acme', 'i-1');
      expect(await shown()).toMatchObject({ ...imported, currentLoginTimestamp: 6 });
      await signInAt(10);
      expect(await shown()).toMatchObject({ ...imported, currentLoginTimestamp: 10 });
      await signInAt(20);
      await store.credentials.setPassword(actIn('acme'), 'i-1', {
        hash: 'phc',
        link: null,
        usedLink: null,
        keepSession: null,
      });
      await importAll(store, 'acme', records);
      const own = { lastPasswordChangeDate: NOW, lastLoginTimestamp: 10, currentLoginTimestamp: 20 };
      expect(await shown()).toMatchObject(own);
      expect(await exportAll(store, 'acme')).toContainEqual(expect.objectContaining({ ...imported, id: 'i-1' }));
    });

    test('a change stores the capabilities in the given order and returns the decision', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': [] }));
      await importAll(store, 'other', people({ 'i-1': [] }));
      const changed = await give(store, 'i-1', ['REPORT_ADMIN', 'CERT_ADMIN']);
      expect(changed).toEqual(ok(await store.authUsers.find('acme', 'i-1')));
      expect(await store.clients.findCapabilities('acme', 'i-1')).toEqual(['REPORT_ADMIN', 'CERT_ADMIN']);
      expect(await store.clients.findCapabilities('other', 'i-1')).toEqual([]);
    });

    test('a failure and an unknown identity change nothing', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
      const before = await store.sod.readVersion('acme', 'i-1');
      expect(await store.authUsers.change(actIn('acme'), 'i-1', { decide: () => fail(REFUSED) })).toEqual(
        fail(REFUSED),
      );
      expect(await store.clients.findCapabilities('acme', 'i-1')).toEqual(['HELPDESK']);
      expect(await store.sod.readVersion('acme', 'i-1')).toMatchObject(before);
      expect(await give(store, 'i-2', [])).toMatchObject({ ok: false, failure: { type: 'NotFound' } });
    });

    test('an unmet precondition is reported before a failed decision, but after rights, references and conflicts', async () => {
      await using database = await openDatabase(engine);
      const { authUsers } = database.store;
      await importAll(database.store, 'acme', people({ 'i-1': ['ORG_ADMIN'] }));
      const stale = failure('LimitExceeded', '', 'outdated');
      const change = (decided: ReturnType<typeof fail<Failure>> | null) =>
        authUsers.change(actIn('acme'), 'i-1', {
          precondition: () => fail(stale),
          decide: ({ user }) => decided ?? ok({ ...user, capabilities: [] }),
        });
      expect(await change(null)).toEqual(fail(stale));
      expect(await change(fail(failure('IllegalValue', '', 'no such pointer')))).toEqual(fail(stale));
      for (const type of ['Forbidden', 'ReferenceNotFound', 'Conflict'] as const) {
        const first = fail<Failure>(failure(type, '', 'first'));
        expect(await change(first)).toEqual(first);
      }
      expect((await authUsers.find('acme', 'i-1'))?.capabilities).toEqual(['ORG_ADMIN']);
    });

    test('a bug in a decision rolls back and leaves the store usable', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
      const bug = new Error('a bug');
      const broken = store.authUsers.change(actIn('acme'), 'i-1', {
        decide: () => {
          throw bug;
        },
      });
      await expect(broken).rejects.toBe(bug);
      expect(await give(store, 'i-1', [])).toMatchObject({ ok: true });
    });

    test('the revision of an identity rises only when its capabilities change', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'], 'i-2': [] }));
      const revisionOf = async (id: string) => (await store.sod.readVersion('acme', id)).revision;
      const first = await revisionOf('i-1');
      const other = await revisionOf('i-2');
      await give(store, 'i-1', ['HELPDESK']);
      expect(await revisionOf('i-1')).toBe(first);
      await give(store, 'i-1', ['CERT_ADMIN']);
      expect(await revisionOf('i-1')).not.toBe(first);
      expect(await revisionOf('i-2')).toBe(other);
    });

    test('other administrators are the current ones of the same tenant', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', people({ 'i-1': ['ORG_ADMIN'], 'i-2': ['HELPDESK', 'ORG_ADMIN'] }));
      await importAll(store, 'other', people({ 'i-3': ['ORG_ADMIN'] }));
      const others = async (id: string) => {
        let seen: boolean | null = null;
        await store.authUsers.change(actIn('acme'), id, {
          decide: ({ user, otherOrgAdmins }) => {
            seen = otherOrgAdmins;
            return ok(user);
          },
        });
        return seen;
      };
      expect(await others('i-1')).toBe(true);
      await give(store, 'i-2', ['HELPDESK']);
      expect([await others('i-1'), await others('i-2')]).toEqual([false, true]);
      await give(store, 'i-2', ['ORG_ADMIN']);
      await importAll(store, 'acme', [deletion('identity', 'i-2')]);
      expect(await others('i-1')).toBe(false);
    });

    test('one of two administrators who are removed at the same time stays', async () => {
      await using database = await openDatabase(engine);
      const stores = [database.store, await database.openAnother()];
      for (let round = 0; round < 20; round++) {
        await importAll(database.store, 'acme', people({ 'i-1': ['ORG_ADMIN'], 'i-2': ['ORG_ADMIN'] }));
        const outcomes = await Promise.all([
          database.store.authUsers.change(actIn('acme'), 'i-1', { decide: demote }),
          stores[round % 2]?.authUsers.change(actIn('acme'), 'i-2', { decide: demote }),
        ]);
        expect(outcomes.map((outcome) => outcome?.ok).sort()).toEqual([false, true]);
      }
    });
  });
}

export function describeAuthProfiles(engine: StoreEngine): void {
  describe('auth profiles', () => {
    const settings = {
      type: 'MFA',
      offNetwork: true,
      untrustedGeography: true,
      applicationId: 'app-1',
      applicationName: 'Portal',
    } as const;

    test('each identity profile has one with its id and name', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', [identityProfile('ip-1', { name: 'Employees' })]);
      expect(await store.authProfiles.find('acme', 'ip-1')).toEqual({
        id: 'ip-1',
        name: 'Employees',
        type: 'NON_PTA',
        offNetwork: false,
        untrustedGeography: false,
        applicationId: null,
        applicationName: null,
        strongAuthLogin: false,
      });
      expect(await store.authProfiles.find('other', 'ip-1')).toBeNull();
      await importAll(store, 'acme', [deletion('identityProfile', 'ip-1')]);
      expect(await store.authProfiles.find('acme', 'ip-1')).toBeNull();
    });

    test('lists have summaries in code-unit order of ids, page by page', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(
        store,
        'acme',
        [...'bBa_1'].map((id) => identityProfile(id, { authProfile: { type: 'PTA' } })),
      );
      await importAll(store, 'other', [identityProfile('c')]);
      const { authProfiles } = store;
      const all = await authProfiles.list('acme', { limit: 250, offset: 0 });
      expect(all.map(({ id }) => id)).toEqual(['1', 'B', '_', 'a', 'b']);
      expect(all[0]).toEqual({ tenant: 'acme', id: '1', name: '1', type: 'PTA' });
      expect(await authProfiles.list('acme', { limit: 2, offset: 3 })).toEqual(all.slice(3));
      expect([await authProfiles.count('acme'), await authProfiles.count('none')]).toEqual([5, 0]);
    });

    test('a change is stored, survives a rename, and a failure changes nothing', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      await importAll(store, 'acme', [identityProfile('ip-1'), identityProfile('ip-2')]);
      const change = (
        decide: (profile: AuthProfile) => ReturnType<typeof ok<AuthProfile>> | ReturnType<typeof fail<typeof REFUSED>>,
      ) => store.authProfiles.change(actIn('acme'), 'ip-1', { decide });
      const changed = await change((profile) => ok({ ...profile, ...settings }));
      expect(changed).toEqual(ok(await store.authProfiles.find('acme', 'ip-1')));
      expect(await change(() => fail(REFUSED))).toEqual(fail(REFUSED));
      await importAll(store, 'acme', [identityProfile('ip-1', { name: 'renamed' })]);
      expect(await store.authProfiles.find('acme', 'ip-1')).toMatchObject({ ...settings, name: 'renamed' });
      expect(await store.authProfiles.find('acme', 'ip-2')).toMatchObject({ type: 'NON_PTA' });
      const missing = await store.authProfiles.change(actIn('other'), 'ip-1', { decide: (profile) => ok(profile) });
      expect(missing).toMatchObject({ ok: false, failure: { type: 'NotFound' } });
    });
  });
}

export function describeUiMetadata(engine: StoreEngine): void {
  describe('UI metadata', () => {
    const UNSET = { iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null };

    test('an unset tenant reads three nulls, and a new tenant can be set', async () => {
      await using database = await openDatabase(engine);
      const { uiMetadata } = database.store;
      expect(await uiMetadata.read('acme')).toEqual(UNSET);
      const metadata = { iFrameWhitelist: 'a.example  b', usernameLabel: 'Näme', usernameEmptyText: null };
      expect(await uiMetadata.change(actIn('acme'), { decide: (before) => ok({ ...before, ...metadata }) })).toEqual(
        ok(metadata),
      );
      expect(await uiMetadata.read('acme')).toEqual(metadata);
      expect(await uiMetadata.read('other')).toEqual(UNSET);
    });

    test('a failure changes nothing', async () => {
      await using database = await openDatabase(engine);
      const { uiMetadata } = database.store;
      expect(await uiMetadata.change(actIn('acme'), { decide: () => fail(REFUSED) })).toEqual(fail(REFUSED));
      expect(await uiMetadata.read('acme')).toEqual(UNSET);
    });
  });
}

export function describeSignInSettings(engine: StoreEngine): void {
  describe('settings of sign-in', () => {
    const network = { range: ['10.0.0.0/8', '2001:db8::/32'], geolocation: ['CH'], whitelisted: true };

    test('an unset tenant reads the defaults, and each config is set alone, also in a new tenant', async () => {
      await using database = await openDatabase(engine);
      const { signInSettings } = database.store;
      expect(await signInSettings.read('acme')).toEqual(DEFAULT_SIGN_IN_SETTINGS);
      expect(await signInSettings.change(actIn('acme'), 'network', { decide: () => ok(network) })).toEqual(ok(network));
      const lockout = { maximumAttempts: 1, lockoutDuration: 60, lockoutWindow: 7 };
      await signInSettings.change(actIn('acme'), 'lockout', { decide: () => ok(lockout) });
      expect(await signInSettings.read('acme')).toEqual({ ...DEFAULT_SIGN_IN_SETTINGS, network, lockout });
      expect(await signInSettings.read('other')).toEqual(DEFAULT_SIGN_IN_SETTINGS);
    });

    test('a change and an import are read by every process', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const readElsewhere = async (other: Store) => other.signInSettings.read('acme');
      const other = await database.openAnother();
      expect(await readElsewhere(other)).toEqual(DEFAULT_SIGN_IN_SETTINGS);
      await store.signInSettings.change(actIn('acme'), 'network', { decide: () => ok(network) });
      await expect.poll(() => readElsewhere(other)).toEqual({ ...DEFAULT_SIGN_IN_SETTINGS, network });
      await importAll(store, 'acme', [{ kind: 'lockoutConfig', id: 'tenant', maximumAttempts: 2 }]);
      expect(await store.signInSettings.read('acme')).toMatchObject({ network, lockout: { maximumAttempts: 2 } });
      await expect.poll(() => readElsewhere(other)).toMatchObject({ network, lockout: { maximumAttempts: 2 } });
      expect(await other.signInSettings.readLatest('acme')).toEqual(await store.signInSettings.read('acme'));
    });

    test('a failure and an unmet precondition change nothing', async () => {
      await using database = await openDatabase(engine);
      const { signInSettings } = database.store;
      const refused = { decide: () => fail(REFUSED) };
      expect(await signInSettings.change(actIn('acme'), 'session', refused)).toEqual(fail(REFUSED));
      const outdated = { precondition: () => fail(REFUSED), decide: () => ok(network) };
      expect(await signInSettings.change(actIn('acme'), 'network', outdated)).toEqual(fail(REFUSED));
      expect(await signInSettings.read('acme')).toEqual(DEFAULT_SIGN_IN_SETTINGS);
    });

    test('a change is in the audit log, with what differs', async () => {
      await using database = await openDatabase(engine);
      const { signInSettings, audit } = database.store;
      for (let round = 0; round < 2; round++)
        await signInSettings.change(actIn('acme'), 'network', {
          decide: (before) => ok({ ...before, geolocation: ['CH', 'AT'] }),
        });
      const events = await audit.listSequences('acme', [], { limit: 10, offset: 0 });
      expect(events).toHaveLength(1);
      const read = await allOf(audit.read('acme', events));
      expect(read).toMatchObject([
        {
          resource: { type: 'NETWORK_CONFIG', id: 'tenant' },
          changes: [{ field: 'geolocation', before: null, after: ['CH', 'AT'] }],
        },
      ]);
    });
  });
}
