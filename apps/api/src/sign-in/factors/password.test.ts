import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Unavailable } from '../../http/unavailable.ts';
import { hashPassword, isOutdated, verifyPassword } from './argon2.ts';
import { createPasswords } from './password.ts';
import { openPasswordThreads, type PasswordJob } from './password-threads.ts';

const GOOD = 'correct horse battery staple';
const CHEAP = { memory: 8, passes: 1 };
const ADDRESS = '192.0.2.1';

const typed = (password: string) => ({ password, address: ADDRESS });

function open(options: Partial<Parameters<typeof openPasswordThreads>[0]> = {}) {
  const threads = openPasswordThreads({ elapsed: () => performance.now(), ...options });
  onTestFinished(() => threads[Symbol.asyncDispose]());
  return { threads, passwords: createPasswords({ threads, newBytes: randomBytes }) };
}

test('a password is verified by its hash, in every form of its characters', async () => {
  const { passwords } = open();
  const stored = await passwords.hash(typed('five hundred café'));
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwords.verify(typed('ﬁve hundred cafe\u0301'), stored)).toBe(true);
  expect(await passwords.verify(typed('five hundred cafe'), stored)).toBe(false);
  expect(await passwords.hash(typed('five hundred café'))).not.toBe(stored);
});

test.each([
  ['an unknown user', GOOD, null],
  [
    'an empty password',
    '',
    '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ],
  ['a password that none can be', `${GOOD}\ud800`, hashPassword(GOOD, randomBytes(16), CHEAP)],
  ['a very long password', GOOD.repeat(10_000), hashPassword(GOOD, randomBytes(16), CHEAP)],
  ['a hash of another kind', GOOD, '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
])('is wrong: %s', async (_title, password, stored) => {
  const { passwords } = open();
  expect(await passwords.verify(typed(password), stored)).toBe(false);
});

test('the hash is that of the reference implementation', () => {
  // From the tests of the reference implementation.
  const cost = { memory: 65_536, passes: 2 };
  expect(hashPassword('password', Buffer.from('somesalt'), cost)).toBe(
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  );
  const own = hashPassword('password', Buffer.from('somesalt00000000'), cost);
  expect(verifyPassword('password', own)).toBe(true);
  expect([isOutdated(own, cost), isOutdated(own, CHEAP)]).toEqual([false, true]);
});

describe('hashes that no memory could hold', () => {
  test.each(['m=9999999,t=2', 'm=19456,t=99', 'm=0,t=1', 'm=19456,t=0'])('%s', (cost) => {
    const tail = `${'A'.repeat(22)}$${'A'.repeat(43)}`;
    expect(verifyPassword(GOOD, `$argon2id$v=19$${cost},p=1$${tail}`)).toBe(false);
  });
});

test('jobs beyond the bound are refused at once, and the others are done', async () => {
  const { threads } = open({ threads: 1, waitingMax: 2 });
  const job = { password: GOOD, stored: null, salt: randomBytes(16), cost: CHEAP };
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => threads.run(job, ADDRESS)));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(all.map((each) => each.status === 'rejected' && each.reason instanceof Unavailable).slice(3)).toEqual([
    true,
    true,
  ]);
  expect(await threads.run(job, ADDRESS)).toContain('$argon2id$');
});

test('a job that takes too long is refused', async () => {
  const { threads } = open({ threads: 1, waitMsMax: 1 });
  // A thread takes longer than a millisecond to start.
  const late = threads.run({ password: GOOD, stored: null, salt: randomBytes(16), cost: CHEAP }, ADDRESS);
  await expect(late).rejects.toThrow(Unavailable);
});

test('addresses are served in turn, and the newest job of the one that has most waiting is refused', async () => {
  const { threads } = open({ threads: 1, waitingMax: 3 });
  const ended: string[] = [];
  const run = (address: string) =>
    threads.run({ password: GOOD, stored: null, salt: randomBytes(16), cost: CHEAP }, address).then(
      () => ended.push(address),
      () => ended.push(`${address} refused`),
    );
  await Promise.all([...Array.from({ length: 4 }, () => run('flood')), run('one'), run('two')]);
  // The refused ones end at once.
  expect(ended).toEqual(['flood refused', 'flood refused', 'flood', 'one', 'two', 'flood']);
});

test('a job that was given up while it waited never runs', async () => {
  const held = Promise.withResolvers<string>();
  const begun: string[] = [];
  const run = (job: PasswordJob) => {
    begun.push(job.password);
    return held.promise;
  };
  const { threads } = open({ threads: 1, waitMsMax: 1, pool: { run, destroy: async () => {} } });
  const hash = (password: string) =>
    threads.run({ password, stored: null, salt: randomBytes(16), cost: CHEAP }, ADDRESS);
  const refused = await Promise.allSettled([hash('held'), hash('given up')]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  held.resolve('a hash');
  expect(await hash('next')).toBe('a hash');
  expect(begun).toEqual(['held', 'next']);
});

test('a job that fails fails alone', async () => {
  const { threads } = open({ threads: 1 });
  const job = { password: GOOD, stored: null, salt: randomBytes(16), cost: CHEAP };
  // A salt that is too short.
  const broken = threads.run({ ...job, salt: new Uint8Array(1) }, ADDRESS);
  const after = threads.run(job, ADDRESS);
  await expect(broken).rejects.toThrow();
  expect(await after).toContain('$argon2id$');
});

test('closing refuses what waits', async () => {
  const { threads } = open({ threads: 1 });
  const job = { password: GOOD, stored: null, salt: randomBytes(16), cost: CHEAP };
  const all = Promise.allSettled([threads.run(job, ADDRESS), threads.run(job, ADDRESS)]);
  await threads[Symbol.asyncDispose]();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(threads.run(job, ADDRESS)).rejects.toThrow(Unavailable);
});
