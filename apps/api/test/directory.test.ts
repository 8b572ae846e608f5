import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { DIRECTORY_BIND_DN, type RunningDirectory, startDirectory, whyNoDirectory } from '@access-admin/harness';
import { Client } from 'ldapts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { LdapApplication } from '../src/sign-in/factors/applications.ts';
import { createDirectory } from '../src/sign-in/factors/directory.ts';
import { openPeople } from './sign-in-people.ts';

const APPLICATION: LdapApplication = {
  ...({ id: 'directory', name: 'Directory', kind: 'ldap', tenants: ['default'], url: 'ldap://127.0.0.1:9' } as const),
  bindDn: DIRECTORY_BIND_DN,
  startTls: false,
  authorities: null,
  timeoutMs: 60_000,
  connectionsMax: 2,
};

/** What a directory with these changes answers, and the reasons that it tells. */
function openDirectory(changes: Partial<LdapApplication>) {
  const reasons: string[] = [];
  const { verify } = createDirectory({ ...APPLICATION, ...changes }, (reason) => reasons.push(reason));
  return { verify, reasons };
}

/** A server of raw bytes; `received` has what each connection has sent. */
async function openRaw(onData: (socket: Socket, connection: number) => void) {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    const connection = received.push(Buffer.alloc(0)) - 1;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received[connection] = Buffer.concat([received[connection] ?? Buffer.alloc(0), bytes]);
      onData(socket, connection);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** The answer to StartTLS in message 1: success. */
const STARTED = Buffer.from('300c02010178070a010004000400', 'hex');

describe('a directory that does not answer as it should', () => {
  test('is unavailable where nothing listens, and where it is silent', async () => {
    const { url } = await openRaw(() => {});
    const none = openDirectory({});
    expect(await none.verify('ada', 'secret')).toBe('UNAVAILABLE');
    expect(none.reasons).toEqual(['ECONNREFUSED']);
    const silent = openDirectory({ url, timeoutMs: 100 });
    expect(await silent.verify('ada', 'secret')).toBe('UNAVAILABLE');
    expect(silent.reasons).toEqual([expect.any(String)]);
  });

  test('gets no password in the clear where it ends or garbles the connection after StartTLS', async () => {
    const endings = [
      (socket: Socket) => socket.write(STARTED, () => socket.destroy()),
      (socket: Socket) => socket.write(STARTED, () => socket.end('no TLS')),
      (socket: Socket) => socket.destroy(),
    ];
    for (const end of endings) {
      const { url, received } = await openRaw((socket) => void end(socket));
      expect(await openDirectory({ url, startTls: true, timeoutMs: 500 }).verify('ada', 'secret')).toBe('UNAVAILABLE');
      expect(Buffer.concat(received).toString('latin1')).not.toContain('secret');
      expect(received.length).toBeGreaterThan(0);
    }
  });

  test('holds no more than its connections, and lets a bounded number wait', async () => {
    const { url, received } = await openRaw(() => {});
    const { verify, reasons } = openDirectory({ url, timeoutMs: 100, connectionsMax: 32 });
    const answers = Array.from({ length: 100 }, () => verify('ada', 'secret'));
    expect(await Promise.all(answers.slice(96))).toEqual(Array(4).fill('UNAVAILABLE'));
    expect(reasons).toEqual(Array(4).fill('too many verifications at once'));
    expect(received.length).toBeLessThanOrEqual(32);
    // The others come to their end, as many at a time as there are connections.
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['UNAVAILABLE']));
  });
});

/** The tests below need packages of Debian; without them they are counted as skipped, with the reason. */
describe('OpenLDAP', () => {
  let slapd: RunningDirectory;
  beforeAll(async () => {
    if (whyNoDirectory === null) slapd = await startDirectory();
  });
  beforeEach(({ skip }) => {
    if (whyNoDirectory !== null) skip(whyNoDirectory);
  });
  afterAll(async () => {
    if (whyNoDirectory === null) await slapd[Symbol.asyncDispose]();
  });

  const ways = () => ({
    plain: { url: slapd.plain },
    StartTLS: { url: slapd.plain, startTls: true, authorities: slapd.authorities },
    ldaps: { url: slapd.secure, authorities: slapd.authorities },
  });

  test('takes the right password alone, by each way to connect', async () => {
    for (const [name, way] of Object.entries(ways())) {
      const { verify, reasons } = openDirectory(way);
      const typed = ['ada of the directory', 'bob of the directory', 'Ada of the directory', 'x', ' '];
      const answers = await Promise.all(typed.map((password) => verify('ada', password)));
      expect([name, ...answers]).toEqual([name, 'RIGHT', 'WRONG', 'WRONG', 'WRONG', 'WRONG']);
      expect(await verify('nobody', 'ada of the directory')).toBe('WRONG');
      expect(reasons).toEqual([]);
    }
  });

  test('never gets an empty password, with which it would admit everyone', async () => {
    const client = new Client({ url: slapd.plain });
    await client.bind('uid=ada,ou=people,dc=example,dc=org', '');
    await client.unbind();
    expect(await openDirectory(ways().plain).verify('ada', '')).toBe('WRONG');
  });

  test('finds the entry of a username with characters that have a meaning, and no other', async () => {
    const { verify } = openDirectory(ways().plain);
    expect(await verify('a,b=c+d', 'odd of the directory')).toBe('RIGHT');
    const injected = [
      ['root,ou=admins', 'root of the directory'],
      ['root\\2cou\\3dadmins', 'root of the directory'],
      ['ada+cn=ada', 'ada of the directory'],
      ['*', 'ada of the directory'],
      ['a*', 'ada of the directory'],
      ['ada)(uid=*', 'ada of the directory'],
      ['#61646100', 'ada of the directory'],
      ['"ada"', 'ada of the directory'],
      ['ada ', 'ada of the directory'],
      [' ada', 'ada of the directory'],
      ['ada\0', 'ada of the directory'],
      ['ada\0,ou=people', 'ada of the directory'],
      ['', 'ada of the directory'],
    ] as const;
    for (const [username, password] of injected)
      expect([username, await verify(username, password)]).toEqual([username, 'WRONG']);
  });

  test('is not asked where its certificate is of another authority, or for another host', async () => {
    const { securePort, authorities, plain, secure } = slapd;
    const refused = [
      { url: secure },
      { url: plain, startTls: true },
      { url: `ldaps://localhost:${securePort}`, authorities },
      { url: plain.replace('127.0.0.1', 'localhost'), startTls: true, authorities },
    ];
    for (const way of refused) {
      const { verify, reasons } = openDirectory(way);
      expect([way, await verify('ada', 'ada of the directory')]).toEqual([way, 'UNAVAILABLE']);
      expect(reasons).toHaveLength(1);
    }
  });

  test('signs people in whose auth profile names it', async () => {
    const { browse, logIn, audited } = await openDirectoryPeople(slapd.plain);
    const browser = browse();
    const done = await logIn(browser, 'ADA', { password: 'ada of the directory', to: '/account' });
    expect([done.status, done.location]).toEqual([303, '/account']);
    const current = await browser.get('/sessions/v1/current');
    expect(JSON.parse(current.text)).toMatchObject({ identityId: 'i-ada', factors: ['APPLICATION'] });
    for (const password of ['', 'wrong', 'bob of the directory']) {
      const refused = await logIn(browse(), 'ada', { password });
      expect([password, refused.status]).toEqual([password, 401]);
    }
    const failures: { outcome: string; resource: { id: string } }[] = await audited('sign-in');
    expect(failures.filter(({ outcome }) => outcome === 'DENIED').map(({ resource }) => resource.id)).toContain(
      'i-ada',
    );
    expect(JSON.stringify(failures)).not.toContain('of the directory');
  });

  test('takes a name in other forms for that of an entry, so no identity has such a username', async () => {
    const { verify } = openDirectory(ways().plain);
    const { browse, logIn, importRecords } = await openDirectoryPeople(slapd.plain);
    const client = new Client({ url: slapd.plain });
    for (const uid of ['ａｄａ', 'ad\u00aa']) {
      // The directory itself finds the entry of ada.
      await client.bind(DIRECTORY_BIND_DN.replace('{username}', uid), 'ada of the directory');
      expect([uid, await verify(uid, 'ada of the directory')]).toEqual([uid, 'WRONG']);
      await importRecords([{ kind: 'identity', id: 'i-cleo', uid, identityProfile: 'ip' }]);
      expect([uid, (await logIn(browse(), uid, { password: 'ada of the directory' })).status]).toEqual([uid, 401]);
    }
    await client.unbind();
    const refused = await importRecords([{ kind: 'identity', id: 'i-cleo', uid: 'ａｄａ', identityProfile: 'ip' }]);
    expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.3']);
    expect(JSON.stringify(refused.json.causes)).toMatch(/line 1: uid: .*write ada/);
  });

  test('is not asked about a locked user, nor for a password of this service', async () => {
    const { browse, logIn, setPassword } = await openDirectoryPeople(slapd.plain);
    for (let attempt = 0; attempt < 5; attempt++) await logIn(browse(), 'bob', { password: 'wrong' });
    expect((await logIn(browse(), 'bob', { password: 'bob of the directory' })).status).toBe(401);
    // The profile names the directory, so a password of this service does not count.
    await setPassword('i-cleo');
    expect((await logIn(browse(), 'cleo')).status).toBe(401);
  });
});

const openDirectoryPeople = (url: string) =>
  openPeople({
    authProfile: { type: 'PTA', applicationId: 'directory' },
    config: { signInApplications: [{ ...APPLICATION, url }] },
  });

test('a directory that is away makes the page of a wrong password, and no failure of its user', async () => {
  const { browse, logIn, lines, audited, metrics } = await openDirectoryPeople('ldap://127.0.0.1:9');
  const unanswered = async () => /^access_admin_unanswered_sign_ins_total.*$/m.exec((await metrics.render()).text)?.[0];
  // A series that begins at its first error shows no increase.
  expect(await unanswered()).toBe('access_admin_unanswered_sign_ins_total{application="directory"} 0');
  for (let attempt = 0; attempt < 6; attempt++)
    expect((await logIn(browse(), 'ada', { password: 'any' })).status).toBe(401);
  expect(await audited('sign-in')).toEqual([]);
  expect(await unanswered()).toBe('access_admin_unanswered_sign_ins_total{application="directory"} 6');
  const told = lines.filter(({ message }) => message === 'a directory does not answer');
  expect(told.map(({ fields }) => fields)).toEqual(
    Array(6).fill(expect.objectContaining({ application: 'directory', reason: 'ECONNREFUSED' })),
  );
  expect(JSON.stringify(lines)).not.toContain('"any"');
});
