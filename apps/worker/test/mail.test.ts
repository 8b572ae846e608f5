import { createServer, type Socket } from 'node:net';
import { approveException, requestException, revokeException } from '@access-admin/domain';
import { findTextFaults } from '@access-admin/languages';
import { createSecretCipher, type MailStore, openStore, type Store } from '@access-admin/store';
import type { EndedJob } from '@access-admin/telemetry';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openMailServer } from '../src/mail/server.ts';
import { MAIL_TEXTS } from '../src/mail/texts.ts';
import { createMailWork } from '../src/mail/work.ts';
import { driveLoop, LEASE_MS, START_MS, type TestClock } from './drive-loop.ts';
import { identity, importAll } from './report-world.ts';
import { openSampleStore } from './sample-store.ts';
import { openSmtpServer } from './smtp-server.ts';

const cipher = createSecretCipher({ current: 'k'.repeat(32), previous: null });
const HOUR_MS = 3_600_000;

interface World {
  readonly store: Store;
  readonly clock: TestClock;
  readonly logged: string[];
  readonly jobs: EndedJob[];
  start(smtpUrl: string, sentWithinMs?: number, mails?: MailStore): ReturnType<typeof driveLoop>;
}

const personOf = (at: number, fields: Readonly<Record<string, unknown>>) => ({
  ...identity(`p-${at}`, null, []),
  displayName: 'Ada',
  email: `p-${at}@example.com`,
  ...fields,
});

/** Persons in a store, and workers with a clock that only the test moves. */
async function openWorld(persons: readonly Readonly<Record<string, unknown>>[] = [{}]): Promise<World> {
  const sample = await openSampleStore();
  const store = await openStore(sample.url, { mails: true });
  await importAll(
    store,
    'acme',
    persons.map((fields, at) => personOf(at, fields)),
  );
  const clock = { nowMs: START_MS };
  const logged: string[] = [];
  const jobs: EndedJob[] = [];
  const loops: ReturnType<typeof driveLoop>[] = [];
  onTestFinished(async () => {
    for (const loop of loops) loop.stop();
    await Promise.all(loops.map(({ ended }) => ended));
    await store.close();
    await sample[Symbol.asyncDispose]();
  });
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  const start = (smtpUrl: string, sentWithinMs = 5_000, mails: MailStore = store.mails) => {
    const mailWork = createMailWork({
      ...store,
      mails,
      server: openMailServer({ smtpUrl, from: 'Access <access@example.org>', sentWithinMs }),
      cipher,
      baseAddress: 'https://{tenant}.example.org',
      leaseMs: LEASE_MS,
      log,
      onJobEnd: (job) => {
        if (job.ids['mailKind'] !== 'violations-weekly') jobs.push(job);
      },
      now: () => clock.nowMs,
    });
    const loop = driveLoop(store, clock, { mailWork, log });
    loops.push(loop);
    return loop;
  };
  return { store, clock, logged, jobs, start };
}

const urlOf = (at: number) => `https://acme.example.org/sign-in-link/secret-${at}`;

const contextOf = ({ nowMs }: TestClock, identityId: string | null = null) => ({
  tenant: 'acme',
  actor: { clientId: 'c-1', identityId },
  operation: 'test',
  time: new Date(nowMs).toISOString(),
  trackingId: '0'.repeat(32),
});

/** Makes a sign-in link for a person, as the API does. */
async function makeLink({ store, clock }: World, at = 0, tenant = 'acme'): Promise<void> {
  const identityId = `p-${at}`;
  const link = {
    hash: `${at}`.padStart(64, '0'),
    expiresMs: clock.nowMs + 24 * HOUR_MS,
    sealedUrl: cipher.seal({ purpose: 'mail', tenant, id: identityId }, Buffer.from(urlOf(at))),
  };
  const context = {
    tenant,
    actor: { clientId: 'c-1', identityId: null },
    operation: 'create-sign-in-link-v1',
    time: new Date(clock.nowMs).toISOString(),
    trackingId: '0'.repeat(32),
  };
  expect(
    await store.signInLinks.create(context, { identityId, link }, () => ({ ok: true, value: null })),
  ).toMatchObject({ ok: true });
}

/** Has loops look for work again, as after a second. */
function turn<T>(loops: readonly ReturnType<typeof driveLoop>[], look: () => T): T {
  for (const loop of loops) {
    loop.wake();
    loop.resume();
  }
  return look();
}

/** Nothing waits, also after years, but the summary of the week. */
async function nothingLeft({ store }: World): Promise<void> {
  const { lost } = await store.mails.removeExpired(START_MS + 1e12);
  expect(lost.filter(({ kind }) => kind !== 'violations-weekly')).toEqual([]);
}

test('texts are complete', () => {
  expect(findTextFaults(MAIL_TEXTS)).toEqual([]);
});

test('no link is mailed to an internal identity, whose address an administrator may change', async () => {
  const world = await openWorld([{ capabilities: ['INTERNAL'] }]);
  await makeLink(world);
  await nothingLeft(world);
});

test('a sign-in link is mailed once, in plain text and HTML, and is gone from the table', async () => {
  const world = await openWorld();
  const server = await openSmtpServer();
  await makeLink(world);
  const loop = world.start(server.url);
  await expect.poll(() => server.taken.length).toBe(1);
  await loop.idle();
  const [mail] = server.taken;
  expect(mail?.to).toBe('p-0@example.com');
  expect(mail?.headers).toEqual(
    expect.arrayContaining(['From: Access <access@example.org>', 'To: p-0@example.com', 'Subject: Your sign-in link']),
  );
  expect(mail?.text).toContain(`Hello Ada,\n\nAn administrator`);
  expect(mail?.text).toContain('until March 2, 2026 at 12:00 PM UTC.');
  expect(mail?.text).toContain(`Sign in: ${urlOf(0)}\n`);
  expect(mail?.html).toContain(`<a href="${urlOf(0)}">Sign in</a>`);
  expect(world.jobs.map(({ kind, outcome }) => [kind, outcome])).toEqual([['mail', 'success']]);
  await nothingLeft(world);
  expect(world.logged.join()).not.toContain('secret-0');
});

test('a name cannot write a header, a line or HTML, and an address cannot become two', async () => {
  const world = await openWorld([
    { displayName: 'Eve\r\nBcc: eve@example.net\r\n\r\n<img src=x onerror="alert(1)">' },
    { email: 'a@example.com, eve@example.net' },
    { email: 'a@example.com\r\nRCPT TO:<eve@example.net>' },
    { email: null },
    { active: false },
  ]);
  const server = await openSmtpServer();
  for (const at of [0, 1, 2, 3, 4]) await makeLink(world, at);
  const loop = world.start(server.url);
  await expect.poll(() => world.jobs.length).toBe(5);
  await loop.idle();
  expect(server.taken.map(({ to }) => to)).toEqual(['p-0@example.com']);
  const [mail] = server.taken;
  expect(mail?.headers.filter((line) => /^bcc/i.test(line))).toEqual([]);
  expect(mail?.text).toContain('Hello Eve Bcc: eve@example.net <img src=x onerror="alert(1)">,\n');
  expect(mail?.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
  const leftOut = world.logged.filter((line) => line.includes('a mail has no address'));
  expect(leftOut.map((line) => JSON.parse(line).identityId).sort()).toEqual(['p-1', 'p-2', 'p-3', 'p-4']);
  await nothingLeft(world);
});

test.each([
  ['de-CH', undefined, 'Ihr Anmeldelink', 'Er gilt einmal, und zwar bis 2. März 2026 um 12:00 UTC.'],
  ['fr, vi;q=0.8', undefined, 'Liên kết đăng nhập của bạn', 'Liên kết chỉ dùng được một lần'],
  [undefined, 'de_AT', 'Ihr Anmeldelink', 'Guten Tag, Ada!'],
  ['xx', undefined, 'Your sign-in link', 'Hello Ada,'],
])('a person with the language %s and the locale %s reads "%s"', async (preferredLanguage, locale, subject, text) => {
  const attributes = { ...(preferredLanguage && { preferredLanguage }), ...(locale && { locale }) };
  const world = await openWorld([{ attributes }]);
  const server = await openSmtpServer();
  await makeLink(world);
  world.start(server.url);
  await expect.poll(() => server.taken.length).toBe(1);
  const [mail] = server.taken;
  const header = mail?.headers.find((line) => line.startsWith('Subject: ')) ?? '';
  expect(decodeHeader(header)).toBe(`Subject: ${subject}`);
  expect(mail?.text).toContain(text);
});

const decodeHeader = (line: string) =>
  line
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, coded: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(coded, 'base64').toString('utf8')
        : Buffer.from(
            coded
              .replaceAll('_', ' ')
              .replaceAll(/=([0-9A-F]{2})/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ).toString('utf8'),
    );

const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

test('a recipient that is refused for good is given up and named; one that is refused for now gets its mail later', async () => {
  const world = await openWorld([{}, {}, {}]);
  let greylisted = 2;
  const server = await openSmtpServer({
    onRcptTo: ({ address }, _, callback) => {
      if (address === 'p-0@example.com') return callback(reply(550, 'no such user'));
      if (address === 'p-1@example.com' && greylisted-- > 0) return callback(reply(451, 'try again'));
      callback();
    },
  });
  for (const at of [0, 1, 2]) await makeLink(world, at);
  const loop = world.start(server.url);
  await expect.poll(() => world.jobs.length).toBe(3);
  await loop.idle();
  expect(server.taken.map(({ to }) => to)).toEqual(['p-2@example.com']);
  const given = world.logged.filter((line) => line.includes('refused for good')).map((line) => JSON.parse(line));
  expect(given).toMatchObject([{ level: 40, identityId: 'p-0', mailKind: 'sign-in-link', tenant: 'acme' }]);
  for (const [minutes, jobs] of [
    [1, 4],
    [2, 5],
  ] as const) {
    world.clock.nowMs += minutes * 60_000;
    await expect.poll(() => turn([loop], () => world.jobs.length)).toBe(jobs);
  }
  expect(server.taken).toHaveLength(2);
  expect(world.jobs.map(({ outcome }) => outcome).sort()).toEqual(['error', 'retry', 'retry', 'success', 'success']);
  await nothingLeft(world);
});

test('a mail whose content is put off does not hold up the next one', async () => {
  const world = await openWorld([{}, {}]);
  const taken: string[] = [];
  const server = await openSmtpServer({
    onData: (stream, { envelope }, callback) => {
      const to = envelope.rcptTo.map(({ address }) => address).join();
      stream.resume().on('end', () => {
        if (to === 'p-0@example.com') return callback(reply(451, 'try again'));
        taken.push(to);
        callback();
      });
    },
  });
  for (const at of [0, 1]) await makeLink(world, at);
  const loop = world.start(server.url);
  await expect.poll(() => world.jobs.length).toBe(2);
  await loop.idle();
  expect(taken).toEqual(['p-1@example.com']);
  expect(world.jobs.map(({ outcome }) => outcome).sort()).toEqual(['retry', 'success']);
  expect(world.logged.some((line) => line.includes('takes no mails'))).toBe(false);
});

test('while the server hangs with the mails of a tenant, that of another tenant is sent', async () => {
  const world = await openWorld([{}, {}, {}, {}, {}]);
  await importAll(world.store, 'globex', [
    { kind: 'identityProfile', id: 'ip', name: 'Employees' },
    personOf(0, { email: 'hank@example.net' }),
  ]);
  const hanging: string[] = [];
  const server = await openSmtpServer({
    closeTimeout: 1,
    onRcptTo: ({ address }, _, callback) => {
      if (address === 'hank@example.net') return callback();
      hanging.push(address);
    },
  });
  for (const at of [0, 1, 2, 3, 4]) await makeLink(world, at);
  const loop = world.start(server.url, 60_000);
  await expect.poll(() => hanging.length).toBeGreaterThan(1);
  await makeLink(world, 0, 'globex');
  await expect.poll(() => turn([loop], () => server.taken.map(({ to }) => to))).toEqual(['hank@example.net']);
});

/** A server whose sockets get this text, and nothing more. */
async function openHanging(greeting: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { sockets, url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

test.each([
  ['says nothing', ''],
  ['greets and says no more', '220 slow ESMTP\r\n'],
])('a server that %s is one line in the log, tried with one mail at a time, and loses nothing', async (_, greeting) => {
  const world = await openWorld([{}, {}, {}, {}, {}]);
  const hanging = await openHanging(greeting);
  for (const at of [0, 1, 2, 3, 4]) await makeLink(world, at);
  const loop = world.start(hanging.url, 200);
  await expect.poll(() => world.jobs.length).toBe(2);
  await loop.idle();
  for (const jobs of [3, 4]) {
    world.clock.nowMs += 61_000;
    await expect.poll(() => turn([loop], () => world.jobs.length)).toBe(jobs);
  }
  expect(world.jobs.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => 'retry'));
  expect(world.logged.filter((line) => line.includes('the mail server takes no mails'))).toHaveLength(1);
  loop.stop();
  await loop.ended;
  const server = await openSmtpServer();
  world.start(server.url);
  await expect.poll(() => server.taken.length).toBe(5);
});

test('an examination of a server that hangs ends', async () => {
  for (const greeting of ['', '220 slow ESMTP\r\n']) {
    const { url: smtpUrl } = await openHanging(greeting);
    const server = openMailServer({ smtpUrl, from: 'access@example.org', sentWithinMs: 200 });
    expect(await server.verify()).toMatchObject({ message: 'no answer in time' });
  }
});

test.each([
  ['offers no sign-in', ['STARTTLS', 'AUTH'], false],
  ['takes the sign-in', ['STARTTLS'], true],
])('an examination of a server that %s tells whether it was signed in', async (_, disabledCommands, isSignedIn) => {
  const { port } = await openSmtpServer({
    disabledCommands,
    onAuth: (auth, __, callback) => callback(null, { user: auth.username }),
    allowInsecureAuth: true,
  });
  const server = openMailServer({ smtpUrl: `smtp://user:secret@127.0.0.1:${port}`, from: 'access@example.org' });
  expect(await server.verify()).toEqual({ isSignedIn });
});

test('a server that is full, wants another password or closes is away, and its mails are kept', async () => {
  const world = await openWorld();
  let isFull = true;
  const server = await openSmtpServer({
    onMailFrom: (_, __, callback) => callback(isFull ? reply(552, 'storage exceeded') : null),
  });
  await makeLink(world);
  const loop = world.start(server.url);
  await expect.poll(() => world.jobs.map(({ outcome }) => outcome)).toEqual(['retry']);
  isFull = false;
  world.clock.nowMs += 2_000;
  await expect.poll(() => turn([loop], () => server.taken.length)).toBe(1);
  await expect
    .poll(() => world.logged.filter((line) => line.includes('the mail server takes mails again')))
    .toHaveLength(1);
});

test('a certificate that does not verify, and STARTTLS that another machine does not offer, are no way for a mail', async () => {
  const signal = AbortSignal.timeout(10_000);
  const mail = { id: 'm-1', to: 'a@example.com', subject: 's', text: 't', html: 'h' };
  const secure = await openSmtpServer({ secure: true, disabledCommands: [] });
  const overTls = openMailServer({ smtpUrl: secure.url.replace('smtp:', 'smtps:'), from: 'a@example.org' });
  expect(await overTls.send(mail, signal)).toMatchObject({
    kind: 'away',
    error: { message: expect.stringMatching(/certificate/) },
  });
  const self = await openSmtpServer({ disabledCommands: [] });
  const bySelfSigned = openMailServer({ smtpUrl: self.url, from: 'a@example.org' });
  expect(await bySelfSigned.send(mail, signal)).toMatchObject({ kind: 'away' });
  const trusting = openMailServer({ smtpUrl: `${self.url}?tls.rejectUnauthorized=false`, from: 'a@example.org' });
  expect(await trusting.send(mail, signal)).toEqual({ kind: 'taken' });
  const plain = await openSmtpServer();
  const other = plain.url.replace('127.0.0.1', '0.0.0.0');
  const withoutTls = openMailServer({ smtpUrl: other, from: 'a@example.org' });
  expect(await withoutTls.send(mail, signal)).toMatchObject({ kind: 'away' });
  const ignoring = openMailServer({ smtpUrl: `${other}?ignoreTLS=true`, from: 'a@example.org' });
  expect(await ignoring.send(mail, signal)).toEqual({ kind: 'taken' });
});

test('two workers send each mail once', async () => {
  const persons = Array.from({ length: 20 }, () => ({}));
  const world = await openWorld(persons);
  const server = await openSmtpServer();
  for (const at of persons.keys()) await makeLink(world, at);
  const loops = [world.start(server.url), world.start(server.url)];
  await expect.poll(() => world.jobs.length).toBe(20);
  await Promise.all(loops.map((loop) => loop.idle()));
  expect(new Set(server.taken.map(({ to }) => to)).size).toBe(20);
  expect(server.taken).toHaveLength(20);
});

test('a mail whose end was not noted is sent again when the lease is over, with the same id', async () => {
  const world = await openWorld();
  const server = await openSmtpServer();
  await makeLink(world);
  const { mails } = world.store;
  const killed = { ...mails, end: async () => {}, release: async () => {} };
  const first = world.start(server.url, 5_000, killed);
  await expect.poll(() => server.taken.length).toBe(1);
  first.stop();
  await first.ended;
  world.clock.nowMs += LEASE_MS + 1;
  world.start(server.url);
  await expect.poll(() => server.taken.length).toBe(2);
  const ids = server.taken.map(({ headers }) => headers.find((line) => line.startsWith('Message-ID')));
  expect(ids[0]).toBe(ids[1]);
});

test('a link that has expired is given up and named, and its secret is gone', async () => {
  const world = await openWorld();
  await makeLink(world);
  world.clock.nowMs += 24 * HOUR_MS;
  const server = await openSmtpServer();
  world.start(server.url);
  await expect.poll(() => world.logged.filter((line) => line.includes('not sent in time'))).toHaveLength(1);
  expect(server.taken).toEqual([]);
  await nothingLeft(world);
  expect(world.logged.join()).not.toContain('secret-0');
});

test('a person is told of a new factor, and of none without a server of mails', async () => {
  const world = await openWorld();
  const server = await openSmtpServer();
  const by = { link: null, usedLink: null };
  await world.store.credentials.setPassword(contextOf(world.clock), 'p-0', { hash: 'phc', keepSession: null, ...by });
  await world.store.credentials.setRecoveryCodes(contextOf(world.clock), 'p-0', { hashes: ['r-1'], ...by });
  const loop = world.start(server.url);
  await expect.poll(() => server.taken.length).toBe(2);
  await loop.idle();
  const texts = server.taken.map(({ text }) => text).join();
  expect(texts).toContain('A password was set for your account on March 1, 2026 at 12:00 PM UTC.');
  expect(texts).toContain('Recovery codes were made for your account');
  expect(texts).toContain('Open your account: https://acme.example.org/account');
  const silent = await openSampleStore();
  await importAll(silent.store, 'acme', [identity('p-0', 'Ada', [])]);
  await silent.store.credentials.setPassword(contextOf(world.clock), 'p-0', { hash: 'phc', keepSession: null, ...by });
  expect(await silent.store.mails.removeExpired(START_MS + 1e12)).toEqual({ lost: [], isMore: false });
  await silent[Symbol.asyncDispose]();
});

const APPROVERS = [
  { displayName: 'Rita Requester' },
  { displayName: 'Ada', capabilities: ['ORG_ADMIN'] },
  { displayName: 'Paul', capabilities: ['POLICY_ADMIN'], attributes: { locale: 'de' } },
  { displayName: 'Hal', capabilities: ['HELPDESK'] },
  { displayName: 'Ines', capabilities: ['ORG_ADMIN'], active: false },
];

/** Requests an exception for i-1, which holds one side of the policy and is to get the other. */
async function requestFor(world: World, days: number) {
  const { store, clock } = world;
  await importAll(store, 'acme', [
    identity('i-1', 'Paula Payer', [
      { type: 'ENTITLEMENT', id: 'e-vendor' },
      { type: 'ENTITLEMENT', id: 'e-pay' },
    ]),
  ]);
  const requested = {
    policyId: 'p-1',
    identityId: 'i-1',
    start: new Date(clock.nowMs).toISOString(),
    end: new Date(clock.nowMs + days * 24 * HOUR_MS).toISOString(),
    justification: 'Year end <b>closing</b>',
  };
  const context = contextOf(clock, 'p-0');
  const made = await store.exceptions.create(context, requested, (view) =>
    requestException(requested, view, { identityId: 'p-0', now: context.time, id: 'x-1' }),
  );
  expect(made).toMatchObject({ ok: true });
}

async function approve({ store, clock }: World) {
  const context = contextOf(clock, 'p-1');
  const approved = await store.exceptions.change(context, 'x-1', {
    decide: (view) =>
      approveException(view.exception, view, { identityId: 'p-1', comment: 'Until the audit', now: context.time }),
  });
  expect(approved).toMatchObject({ ok: true });
}

test('a requested exception is mailed to those that may approve it, and its decision to the requester', async () => {
  const world = await openWorld(APPROVERS);
  const server = await openSmtpServer();
  await requestFor(world, 30);
  const loop = world.start(server.url);
  await expect.poll(() => server.taken.length).toBe(2);
  await loop.idle();
  const [toAda, toPaul] = server.taken.toSorted((one, other) => one.to.localeCompare(other.to));
  expect([toAda?.to, toPaul?.to]).toEqual(['p-1@example.com', 'p-2@example.com']);
  expect(toAda?.text).toContain(
    'Rita Requester asks for an exception from the policy “Vendor and payment” for Paula Payer.',
  );
  expect(toAda?.text).toContain('Justification: Year end <b>closing</b>');
  expect(toAda?.html).toContain('Justification: Year end &lt;b&gt;closing&lt;/b&gt;');
  expect(toAda?.text).toContain('Open the exception: https://acme.example.org/console/exceptions?open=x-1');
  expect(toPaul?.text).toContain(
    'Rita Requester beantragt für Paula Payer eine Ausnahme von der Richtlinie „Vendor and payment“.',
  );
  await approve(world);
  loop.wake();
  await expect.poll(() => server.taken.length).toBe(3);
  expect(server.taken[2]).toMatchObject({ to: 'p-0@example.com', text: expect.stringContaining('was approved.') });
  expect(server.taken[2]?.text).toContain('Comment: Until the audit');
});

test('an exception that was decided meanwhile is mailed to no approver any more', async () => {
  const world = await openWorld(APPROVERS);
  const server = await openSmtpServer();
  await requestFor(world, 30);
  await approve(world);
  const loop = world.start(server.url);
  await expect.poll(() => server.taken.length).toBe(1);
  await loop.idle();
  expect(server.taken.map(({ to }) => to)).toEqual(['p-0@example.com']);
});

test('a decision that a later one has overtaken is mailed no more', async () => {
  const world = await openWorld(APPROVERS);
  const server = await openSmtpServer();
  await requestFor(world, 30);
  await approve(world);
  const { store, clock } = world;
  const context = contextOf(clock, 'p-1');
  const revoked = await store.exceptions.change(context, 'x-1', {
    decide: (view) => revokeException(view.exception, view, { identityId: 'p-1', comment: 'Over', now: context.time }),
  });
  expect(revoked).toMatchObject({ ok: true });
  const loop = world.start(server.url);
  await expect.poll(() => world.jobs.length).toBe(5);
  await loop.idle();
  expect(server.taken).toMatchObject([{ to: 'p-0@example.com', text: expect.stringContaining('was revoked.') }]);
});

test('the end of an exception within seven days is mailed once, however many workers and sweeps there are', async () => {
  const world = await openWorld(APPROVERS.map((fields) => ({ ...fields })));
  await requestFor(world, 9);
  await approve(world);
  const server = await openSmtpServer();
  const loops = [world.start(server.url), world.start(server.url)];
  const ending = () => server.taken.filter(({ text }) => text.includes('ends within seven days'));
  const later = async (hours: number) => {
    world.clock.nowMs += hours * HOUR_MS;
    turn(loops, () => null);
    for (const loop of loops) await loop.idle();
  };
  for (const loop of loops) await loop.idle();
  expect(ending()).toHaveLength(0);
  await later(50);
  await expect.poll(() => turn(loops, () => ending().length)).toBe(1);
  // Its end is to be stored before its lease ends.
  for (const loop of loops) await loop.idle();
  for (const hours of [2, 24, 24, 24, 24, 24]) await later(hours);
  expect(ending().map(({ to }) => to)).toEqual(['p-0@example.com']);
});

test('owners get a summary of their open violations once a week', async () => {
  const world = await openWorld(APPROVERS);
  const server = await openSmtpServer();
  const { mails } = world.store;
  const counted = {
    ...mails,
    countByOwner: async () => [
      { ownerId: 'p-1', levelRank: 4, count: 2 },
      { ownerId: 'p-1', levelRank: 2, count: 1_000 },
      { ownerId: 'p-2', levelRank: 1, count: 1 },
    ],
  };
  const loops = [world.start(server.url, 5_000, counted), world.start(server.url, 5_000, counted)];
  await expect.poll(() => turn(loops, () => server.taken.length)).toBe(2);
  for (const loop of loops) await loop.idle();
  const [toAda, toPaul] = server.taken.toSorted((one, other) => one.to.localeCompare(other.to));
  expect(toAda?.text).toContain(
    'You own 1,002 open violations.\n\nCritical: 2\n\nMedium: 1,000\n\nOpen the violations: https://acme.example.org/console/violations',
  );
  expect(toPaul?.text).toContain('Sie sind für 1 offenen Verstoß verantwortlich.\n\nNiedrig: 1\n');
  // START_MS is a Sunday, so that the next week begins within a day.
  world.clock.nowMs += 18 * HOUR_MS;
  await expect.poll(() => turn(loops, () => server.taken.length)).toBe(4);
  for (const loop of loops) await loop.idle();
  expect(server.taken).toHaveLength(4);
});
