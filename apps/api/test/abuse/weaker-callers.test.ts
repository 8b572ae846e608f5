import { describe, expect, test } from 'vitest';
import type { Browser } from '../browser.ts';
import { openPeople, PASSWORD, type PeopleOptions, secretOf } from '../sign-in-people.ts';
import { openSession } from '../test-session.ts';

const FIELDS = { password: PASSWORD, repeated: PASSWORD };
const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const profileAs = (type: string) => ({ kind: 'identityProfile', id: 'ip', name: 'Staff', authProfile: { type } });
const person = (id: string, uid: string, more: object = {}) => ({
  kind: 'identity',
  id,
  uid,
  identityProfile: 'ip',
  ...more,
});

/** Ada calls by a client that acts as her, or by her session. */
interface CallingAda {
  readonly token: string | null;
  readonly headers: Record<string, string>;
}

/** Beside Ada, an administrator, the agent Hal and Pam, an internal identity with a profile of its own. */
async function openOffice(options: PeopleOptions = {}) {
  const people = await openPeople(options);
  const { call, clientToken, importRecords } = people;
  await importRecords([
    { kind: 'identityProfile', id: 'ip-internal', name: 'Programs' },
    { kind: 'identityProfile', id: 'ip-directory', name: 'Directory', authProfile: { type: 'PTA' } },
    person('i-pam', 'pam', { identityProfile: 'ip-internal', capabilities: ['INTERNAL'] }),
    person('i-hal', 'hal', { capabilities: ['HELPDESK'] }),
  ]);
  const { cookie } = await openSession(people, 'i-ada');
  const tokens = { ada: await clientToken({ identityId: 'i-ada' }), hal: await clientToken({ identityId: 'i-hal' }) };
  const give = async (id: string, ...capabilities: readonly string[]) => {
    const body = [{ op: 'replace', path: '/capabilities', value: capabilities }];
    const given = await call('PATCH', `/auth-users/v1/${id}`, { body });
    expect([id, given.status, given.json.capabilities]).toEqual([id, 200, capabilities]);
  };
  /** The path of a link that an identity makes. */
  const linkOf = async (token: string, id: string): Promise<string> => {
    const made = await call('POST', `/auth-users/v1/${id}/sign-in-link`, { token, body: {} });
    expect([id, made.status]).toEqual([id, 201]);
    return new URL(made.json.url).pathname;
  };
  const statusOfSession = async ({ cookies }: Pick<Browser, 'cookies'>) => {
    const held = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return (await call('GET', '/sessions/v1/current', { token: null, headers: { cookie: held } })).status;
  };
  const callersOfAda: readonly CallingAda[] = [
    { token: tokens.ada, headers: {} },
    { token: null, headers: { cookie, origin: 'http://127.0.0.1:8080' } },
  ];
  const importAs = async ({ token, headers }: CallingAda, records: readonly object[]) => {
    const body = records.map((record) => JSON.stringify(record)).join('\n');
    const type = { 'content-type': 'application/x-ndjson' };
    return call('POST', '/access-model/v1/import', { token, headers: { ...type, ...headers }, body });
  };
  return { ...people, tokens, give, linkOf, statusOfSession, callersOfAda, importAs };
}

type Office = Awaited<ReturnType<typeof openOffice>>;

/** Where the causes of a refusal are, such as `line 1: uid`. */
const placesOf = ({ json }: { readonly json: { readonly causes: readonly { readonly text: string }[] } }) =>
  json.causes.map(({ text }) => /^line \d+(: [\w.]+)?(?=: )/.exec(text)?.[0]);

describe('an administrator is not recognized as an internal identity', () => {
  const ada = (more: object) => person('i-ada', 'Ada', { displayName: 'Ada L.', capabilities: ['ORG_ADMIN'], ...more });
  const pam = (more: object) => person('i-pam', 'pam', { identityProfile: 'ip-internal', ...more });

  test.each<[string, object[], string[], number?]>([
    [
      'by its own uid and the profile of a directory',
      [ada({ uid: 'other' }), pam({ uid: 'ada', identityProfile: 'ip-directory' })],
      ['line 1: uid', 'line 2: uid', 'line 2: identityProfile'],
    ],
    ['by a uid of its choice', [pam({ uid: 'chosen' })], ['line 1: uid']],
    ['by the profile of a directory', [pam({ identityProfile: 'ip-directory' })], ['line 1: identityProfile']],
    [
      'by the profile of a directory that it makes in the same import',
      [{ ...profileAs('PTA'), id: 'ip-new' }, pam({ identityProfile: 'ip-new' })],
      ['line 2: identityProfile'],
    ],
    [
      'by an identity that it deletes and makes anew',
      [{ kind: 'identity', id: 'i-pam', delete: true }, pam({ uid: 'chosen' })],
      ['line 2: uid'],
    ],
    ['by an identity that it deletes first', [{ kind: 'identity', id: 'i-pam', delete: true }], ['line 1']],
    [
      'by what verifies the identity',
      [{ ...profileAs('PTA'), id: 'ip-internal', authProfile: { type: 'PTA', applicationId: 'ldap' } }],
      ['line 1: authProfile.type', 'line 1: authProfile.applicationId'],
    ],
    [
      'by a profile that it deletes and makes anew',
      [
        { kind: 'identityProfile', id: 'ip-internal', delete: true },
        { ...profileAs('MFA'), id: 'ip-internal' },
      ],
      ['line 2: authProfile.type'],
    ],
    [
      'by a profile that it deletes under the identity',
      [{ kind: 'identityProfile', id: 'ip-internal', delete: true }, pam({})],
      ['line 2: identityProfile'],
      400,
    ],
    ['by another uid of its own', [ada({ uid: 'other' })], ['line 1: uid']],
    ['by another profile of its own', [ada({ identityProfile: 'ip-directory' })], ['line 1: identityProfile']],
    ['by what verifies itself', [profileAs('MFA')], ['line 1: authProfile.type']],
  ])('%s', async (_, records, causes, status = 403) => {
    const { callersOfAda, importAs, call } = await openOffice();
    const before = (await call('GET', '/access-model/v1/export')).text;
    for (const caller of callersOfAda) {
      const refused = await importAs(caller, records);
      expect([refused.status, placesOf(refused)]).toEqual([status, causes]);
    }
    expect((await call('GET', '/access-model/v1/export')).text).toBe(before);
  });

  test('by a patch of the auth profile of the identity, nor of its own', async () => {
    const { callersOfAda, call } = await openOffice();
    const patch = async (id: string, path: string, value: unknown, by: CallingAda | null) => {
      const body = [{ op: 'replace', path, value }];
      const headers = { ...EXPERIMENTAL, ...by?.headers };
      const options = by === null ? { body, headers } : { body, headers, token: by.token };
      return (await call('PATCH', `/auth-profiles/v1/${id}`, options)).status;
    };
    const identifying = [
      ['/type', 'MFA'],
      ['/applicationId', 'ldap'],
      ['/applicationName', 'Directory'],
    ] as const;
    for (const caller of callersOfAda) {
      for (const [path, value] of identifying) {
        expect([path, await patch('ip-internal', path, value, caller)]).toEqual([path, 403]);
        expect([path, await patch('ip', path, value, caller)]).toEqual([path, 403]);
        expect([path, await patch('ip-directory', path, value, caller)]).toEqual([path, 200]);
      }
      expect(await patch('ip-internal', '/type', 'NON_PTA', caller)).toBe(200);
      expect(await patch('ip', '/untrustedGeography', false, caller)).toBe(200);
    }
    expect(await patch('ip-internal', '/type', 'MFA', null)).toBe(200);
  });

  test('by a client that it makes for the identity, or a secret that it gives one', async () => {
    const { tokens, call } = await openOffice();
    const make = (identityId: string, token?: string) =>
      call('POST', '/oauth-clients/v1', {
        ...(token === undefined ? {} : { token }),
        body: { name: 'made', scopes: ['auth-users:read'], identityId },
      });
    expect((await make('i-pam', tokens.ada)).status).toBe(403);
    expect((await make('i-hal', tokens.ada)).status).toBe(201);
    expect((await make('i-none', tokens.ada)).status).toBe(400);
    const rotate = async (id: string) =>
      (await call('POST', `/oauth-clients/v1/${id}/rotate-secret`, { token: tokens.ada, body: {} })).status;
    const ofPam = await make('i-pam');
    const ofHal = await make('i-hal');
    expect([await rotate(ofPam.json.id), await rotate(ofHal.json.id)]).toEqual([403, 200]);
  });

  test('a dry-run of such a patch shows what it would do, and that it would be refused', async () => {
    const { tokens, call } = await openOffice();
    const body = [{ op: 'replace', path: '/type', value: 'MFA' }];
    const dryRun = (id: string) =>
      call('PATCH', `/auth-profiles/v1/${id}?dryRun=true`, { token: tokens.ada, body, headers: EXPERIMENTAL });
    expect((await dryRun('ip-internal')).json).toMatchObject({ newlySecondFactor: 1, wouldBeRefused: true });
    expect((await dryRun('ip')).json).toMatchObject({ newlySecondFactor: 4, wouldBeRefused: true });
    expect((await dryRun('ip-directory')).json).toMatchObject({ wouldBeRefused: false });
  });

  test('an application changes who an identity is', async () => {
    const { importRecords } = await openOffice();
    expect((await importRecords([ada({ uid: 'ada-2' }), pam({ uid: 'ada' }), profileAs('MFA')])).status).toBe(200);
  });
});

describe('another uid ends', () => {
  const rename = ({ importRecords }: Office) => importRecords([person('i-bob', 'robert'), person('i-cleo', 'cleo')]);

  test('the sessions of the identity, and not those of others', async () => {
    const office = await openOffice();
    const bob = await openSession(office, 'i-bob');
    const cleo = await openSession(office, 'i-cleo');
    const current = async ({ cookie }: { readonly cookie: string }) =>
      (await office.call('GET', '/sessions/v1/current', { token: null, headers: { cookie } })).status;
    expect([await current(bob), await current(cleo)]).toEqual([200, 200]);
    expect((await rename(office)).status).toBe(200);
    expect([await current(bob), await current(cleo)]).toEqual([401, 200]);
  });

  test('its open links', async () => {
    const office = await openOffice();
    const bob = await office.linkFor('i-bob');
    const cleo = await office.linkFor('i-cleo');
    await rename(office);
    expect((await office.browse().get(bob)).status).toBe(404);
    expect((await office.browse().post(bob, FIELDS)).status).toBe(404);
    expect((await office.browse().post(cleo, FIELDS)).status).toBe(303);
    const { json } = await office.call('GET', '/audit-events/v1?filters=resourceId%20eq%20%22i-bob%22');
    expect(JSON.stringify(json)).toContain('{"field":"openSignInLinks","before":1,"after":0}');
  });

  test('its pending sign-ins', async () => {
    const office = await openOffice({ authProfile: { type: 'MFA' } });
    const { browse, linkFor, codeOf, logIn, clock } = office;
    const owner = browse();
    await owner.post(await linkFor('i-bob'), FIELDS);
    const secret = secretOf((await owner.get('/login/enrolment')).text);
    await owner.post('/login/enrolment', { secret, code: codeOf(secret) });
    clock.nowMs += 60_000;
    const pending = browse();
    expect((await logIn(pending, 'bob')).location).toMatch(/^\/login\/second-factor\?state=/);
    const { importRecords, rootToken } = office;
    expect((await importRecords([person('i-bob', 'robert')], await rootToken())).status).toBe(200);
    const answer = await pending.post('/login/second-factor', { code: codeOf(secret) });
    expect(answer.location).toBe('/login');
  });
});

describe('a link does not outlive what made it permissible', () => {
  const promote: Readonly<Record<string, (office: Office) => Promise<unknown>>> = {
    'a patch': ({ give }) => give('i-bob', 'POLICY_ADMIN'),
    'an import': async ({ importRecords }) =>
      expect((await importRecords([person('i-bob', 'bob', { capabilities: ['POLICY_ADMIN'] })])).status).toBe(200),
  };

  test.each(Object.entries(promote))('after %s that gives a capability', async (_, promoteBob) => {
    const office = await openOffice();
    const { tokens, browse, linkOf, linkFor } = office;
    const links = [await linkOf(tokens.hal, 'i-bob'), await linkOf(tokens.ada, 'i-bob'), await linkFor('i-bob')];
    const other = await linkOf(tokens.hal, 'i-cleo');
    await promoteBob(office);
    for (const link of links) {
      expect((await browse().get(link)).status).toBe(404);
      expect((await browse().post(link, FIELDS)).status).toBe(404);
    }
    expect((await browse().post(other, FIELDS)).status).toBe(303);
  });

  test.each(Object.entries(promote))('the session that it began ends by %s that gives a capability', async (_, by) => {
    const office = await openOffice();
    const { browse, linkFor, logIn, statusOfSession } = office;
    const byLink = browse();
    const byPassword = browse();
    await byLink.post(await linkFor('i-bob'), FIELDS);
    await logIn(byPassword, 'bob');
    expect([await statusOfSession(byLink), await statusOfSession(byPassword)]).toEqual([200, 200]);
    await by(office);
    expect([await statusOfSession(byLink), await statusOfSession(byPassword)]).toEqual([401, 200]);
  });

  test.each(Object.entries(promote))(
    'the enrolment that it began ends by %s that gives a capability',
    async (_, by) => {
      const office = await openOffice({ authProfile: { type: 'MFA' } });
      const { browse, linkFor, codeOf, call } = office;
      const browser = browse();
      expect((await browser.post(await linkFor('i-bob'), FIELDS)).location).toMatch(/^\/login\/enrolment\?state=/);
      const secret = secretOf((await browser.get('/login/enrolment')).text);
      await by(office);
      expect((await browser.post('/login/enrolment', { secret, code: codeOf(secret) })).location).toBe('/login');
      expect((await call('GET', '/auth-users/v1/i-bob/credentials')).json.totp).toBe(false);
    },
  );

  test('the second factor after it is demanded of nobody who has gained a capability', async () => {
    const office = await openOffice({ authProfile: { type: 'MFA' } });
    const { browse, linkFor, codeOf, logIn, give, clock } = office;
    const owner = browse();
    await owner.post(await linkFor('i-bob'), FIELDS);
    const secret = secretOf((await owner.get('/login/enrolment')).text);
    await owner.post('/login/enrolment', { secret, code: codeOf(secret) });
    clock.nowMs += 60_000;
    const byLink = browse();
    const byPassword = browse();
    const changed = { password: 'another long sentence', repeated: 'another long sentence' };
    expect((await byLink.post(await linkFor('i-bob'), changed)).location).toMatch(/^\/login\/second-factor\?state=/);
    expect((await logIn(byPassword, 'bob')).location).toMatch(/^\/login\/second-factor\?state=/);
    await give('i-bob', 'POLICY_ADMIN');
    expect((await byLink.post('/login/second-factor', { code: codeOf(secret) })).location).toBe('/login');
    expect((await byPassword.post('/login/second-factor', { code: codeOf(secret) })).location).toBe('/');
    expect((await logIn(browse(), 'bob')).status).toBe(303);
  });

  test('capabilities that are taken away for it and given back', async () => {
    const { tokens, browse, linkOf, give, statusOfSession } = await openOffice();
    await give('i-bob', 'POLICY_ADMIN');
    await give('i-bob');
    const first = await linkOf(tokens.hal, 'i-bob');
    const second = await linkOf(tokens.hal, 'i-bob');
    const browser = browse();
    expect((await browser.post(first, FIELDS)).status).toBe(303);
    await give('i-bob', 'POLICY_ADMIN');
    expect([(await browse().post(second, FIELDS)).status, await statusOfSession(browser)]).toEqual([404, 401]);
  });

  test('what its maker has lost since', async () => {
    const { tokens, browse, linkOf, give, importRecords } = await openOffice();
    await give('i-bob', 'CERT_ADMIN');
    await give('i-hal', 'HELPDESK', 'CERT_ADMIN');
    const links = [await linkOf(tokens.hal, 'i-bob'), await linkOf(tokens.hal, 'i-cleo')] as const;
    await give('i-hal', 'HELPDESK');
    expect((await browse().post(links[0], FIELDS)).status).toBe(404);
    expect((await browse().post(links[1], FIELDS)).status).toBe(303);
    const left = [await linkOf(tokens.hal, 'i-cleo'), await linkOf(tokens.hal, 'i-cleo')] as const;
    await give('i-hal', 'REPORT_ADMIN');
    expect((await browse().post(left[0], FIELDS)).status).toBe(404);
    await importRecords([{ kind: 'identity', id: 'i-hal', delete: true }]);
    expect((await browse().post(left[1], FIELDS)).status).toBe(404);
  });

  test('a promotion while it is used', async () => {
    const office = await openOffice();
    const { browse, linkFor, call, importRecords, statusOfSession } = office;
    const ids = Array.from({ length: 12 }, (_, number) => `i-new-${number}`);
    await importRecords(ids.map((id) => person(id, id)));
    const body = [{ op: 'add', path: '/capabilities/-', value: 'POLICY_ADMIN' }];
    const outcomes = await Promise.all(
      ids.map(async (id) => {
        const browser = browse();
        const link = await linkFor(id);
        const used = browser.post(link, FIELDS);
        const promoted = await call('PATCH', `/auth-users/v1/${id}`, { body });
        await used;
        return [promoted.status, await statusOfSession(browser)];
      }),
    );
    expect(outcomes).toEqual(ids.map(() => [200, 401]));
  });
});

describe('an administrator appoints people', () => {
  test('whom it makes and invites, with any capability but INTERNAL', async () => {
    const { callersOfAda, importAs, browse, linkOf, tokens, statusOfSession } = await openOffice();
    for (const [place, caller] of callersOfAda.entries()) {
      const id = `i-appointed-${place}`;
      const capabilities = ['POLICY_ADMIN', 'HELPDESK', 'das:ui-auditor'];
      expect((await importAs(caller, [person(id, id, { capabilities })])).status).toBe(200);
      const browser = browse();
      expect((await browser.post(await linkOf(tokens.ada, id), FIELDS)).status).toBe(303);
      expect(await statusOfSession(browser)).toBe(200);
      const internal = await importAs(caller, [person(id, id, { capabilities: ['INTERNAL'] })]);
      expect(internal.status).toBe(403);
    }
  });

  test('and never itself', async () => {
    const { callersOfAda, importAs, call } = await openOffice();
    const body = [{ op: 'add', path: '/capabilities/-', value: 'POLICY_ADMIN' }];
    for (const { token, headers } of callersOfAda) {
      expect((await call('PATCH', '/auth-users/v1/i-ada', { token, headers, body })).status).toBe(403);
      const own = person('i-ada', 'Ada', { capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'] });
      expect((await importAs({ token, headers }, [own])).status).toBe(403);
    }
  });
});
