import { createHash } from 'node:crypto';
import { WAITING_SECRETS_MAX } from '@access-admin/contract';
import { expect, test } from 'vitest';
import { Unavailable } from '../../http/unavailable.ts';
import { type Attempt, type Authenticated, createSecrets } from './secrets.ts';
import { createVerifiedSecrets } from './verified-secrets.ts';

const HOUR_MS = 3_600_000;
const key = Buffer.from('key');

interface TestClient {
  readonly id: string;
  readonly secrets: readonly { readonly version: number; readonly hash: string }[];
}

/** The id of a client, with the version of its secret unless it is the first. */
const nameOf = (outcome: Authenticated<TestClient> | string): string => {
  if (typeof outcome === 'string') return outcome;
  const { client, secretVersion } = outcome;
  return secretVersion === 1 ? client.id : `${client.id} by ${secretVersion}`;
};

/** Secrets whose derivations are counted, and a store of clients. */
function openSecrets() {
  const clock = { nowMs: 0 };
  const counts = { derived: 0, found: 0 };
  const deriveKey = async (secret: string, salt: Buffer) => {
    counts.derived += 1;
    return createHash('sha256').update(salt).update(secret).digest();
  };
  const secrets = createSecrets({ deriveKey, elapsed: () => clock.nowMs });
  const clients = new Map<string, TestClient>();
  const find = async (id: string) => {
    counts.found += 1;
    return clients.get(id) ?? null;
  };
  const hashOf = (secret: string, besides: string | null) =>
    secrets.hash(secret, { tenant: 't', clientId: 'admin' }, besides);
  const register = async (id: string, secret: string) =>
    void clients.set(id, { id, secrets: [{ version: 1, hash: await hashOf(secret, null) }] });
  /** Gives a client another secret beside its present one. */
  const rotate = async (id: string, secret: string) => {
    const [present = { version: 0, hash: '' }] = clients.get(id)?.secrets ?? [];
    const next = { version: present.version + 1, hash: await hashOf(secret, present.hash) };
    clients.set(id, { id, secrets: [next, present] });
  };
  /** The outcome of an attempt, and how many keys it derived. */
  const ask = async (attempt: Partial<Attempt>) => {
    const before = counts.derived;
    const outcome = await secrets.authenticate({ clientId: 'c', secret: 's', address: 'a', ...attempt }, find);
    return [nameOf(outcome), counts.derived - before] as const;
  };
  return { clock, clients, counts, register, rotate, ask };
}

test('an attempt derives one key, whether its client exists or not', async () => {
  const { register, ask } = openSecrets();
  await register('c', 's');
  expect(await ask({ secret: 'wrong' })).toEqual(['wrong secret', 1]);
  expect(await ask({ clientId: 'nobody' })).toEqual(['unknown client', 1]);
  expect(await ask({})).toEqual(['c', 1]);
});

test('a token request does not wait for all clients that are being created', async () => {
  const order: string[] = [];
  const deriveKey = async (secret: string) => {
    order.push(secret);
    return Buffer.alloc(32);
  };
  const secrets = createSecrets({ deriveKey, elapsed: () => 0 });
  const owner = { tenant: 'flood', clientId: 'admin' };
  const hashing = Array.from({ length: 10 }, (_, at) => secrets.hash(`new ${at}`, owner, null));
  const attempt = { clientId: 'c', secret: 'asks', address: 'a' };
  await Promise.all([...hashing, secrets.authenticate(attempt, async () => null)]);
  expect(order).toHaveLength(11);
  expect(order.indexOf('asks')).toBeLessThanOrEqual(3);
});

test('new clients beyond those that may wait are refused', async () => {
  const held = Promise.withResolvers<Buffer>();
  const secrets = createSecrets({ deriveKey: () => held.promise, elapsed: () => 0 });
  const owner = { tenant: 'flood', clientId: 'admin' };
  const hashing = Array.from({ length: 1 + WAITING_SECRETS_MAX + 1 }, () => secrets.hash('new', owner, null));
  const outcomes = Promise.allSettled(hashing);
  held.resolve(Buffer.alloc(32));
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refused).toEqual([{ status: 'rejected', reason: expect.any(Unavailable) }]);
});

test('a verified secret is admitted without a derivation for an hour', async () => {
  const { clock, register, ask } = openSecrets();
  await register('c', 's');
  expect(await ask({})).toEqual(['c', 1]);
  clock.nowMs = HOUR_MS - 1;
  expect(await ask({})).toEqual(['c', 0]);
  expect(await ask({ secret: 'wrong' })).toEqual(['wrong secret', 1]);
  expect(await ask({})).toEqual(['c', 0]);
  clock.nowMs = HOUR_MS;
  expect(await ask({})).toEqual(['c', 1]);
});

test('a verified secret is not admitted once it is replaced or its client deleted', async () => {
  const { clients, register, ask } = openSecrets();
  await register('c', 's');
  await ask({});
  await register('c', 'new');
  expect(await ask({})).toEqual(['wrong secret', 1]);
  expect(await ask({ secret: 'new' })).toEqual(['c', 1]);
  clients.delete('c');
  expect(await ask({ secret: 'new' })).toEqual(['unknown client', 1]);
});

test('of two secrets each is known as itself, at the cost of one key, and both are remembered', async () => {
  const { register, rotate, ask } = openSecrets();
  await register('c', 's');
  expect(await ask({})).toEqual(['c', 1]);
  await rotate('c', 'new');
  expect(await ask({})).toEqual(['c', 0]);
  expect(await ask({ secret: 'new' })).toEqual(['c by 2', 1]);
  for (const _ of ['again', 'and again']) {
    expect(await ask({})).toEqual(['c', 0]);
    expect(await ask({ secret: 'new' })).toEqual(['c by 2', 0]);
  }
  expect(await ask({ secret: 'wrong' })).toEqual(['wrong secret', 1]);
  await rotate('c', 'third');
  expect(await ask({})).toEqual(['wrong secret', 1]);
  expect(await ask({ secret: 'new' })).toEqual(['c by 2', 0]);
  expect(await ask({ secret: 'third' })).toEqual(['c by 3', 1]);
});

test('a client that is changed is returned as it is now', async () => {
  const { clients, register, ask } = openSecrets();
  await register('c', 's');
  await ask({});
  clients.set('c', { id: 'renamed', secrets: clients.get('c')?.secrets ?? [] });
  expect(await ask({})).toEqual(['renamed', 0]);
});

test('credentials longer than any in a store are refused without a derivation and without a look at the store', async () => {
  const { counts, register, ask } = openSecrets();
  await register('c', 's');
  expect(await ask({ secret: 'x'.repeat(257) })).toEqual(['wrong secret', 0]);
  expect(await ask({ clientId: 'x'.repeat(129) })).toEqual(['unknown client', 0]);
  expect(counts.found).toBe(0);
  expect(await ask({ secret: 'x'.repeat(256) })).toEqual(['wrong secret', 1]);
  expect(await ask({ clientId: 'x'.repeat(128) })).toEqual(['unknown client', 1]);
});

test('the clients that were used longest ago are forgotten first', () => {
  const verified = createVerifiedSecrets({ key, elapsed: () => 0, clientsMax: 2 });
  const known = () => ['a', 'b', 'c'].filter((id) => verified.find(id, 's') !== null);
  for (const id of ['a', 'b']) verified.add(id, 's', `hash of ${id}`);
  expect(verified.find('a', 's')).toBe('hash of a');
  verified.add('c', 's', 'hash of c');
  expect(known()).toEqual(['a', 'c']);
});

test('what one process remembers means nothing to another client or secret', () => {
  const verified = createVerifiedSecrets({ key, elapsed: () => 0 });
  verified.add('a', 's', 'hash');
  expect([verified.find('b', 's'), verified.find('a', 't'), verified.find('a', '')]).toEqual([null, null, null]);
});
