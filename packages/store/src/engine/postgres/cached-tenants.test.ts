import { expect, test } from 'vitest';
import { createCachedTenants } from './cached-tenants.ts';

const FRESH_MS = 700;

function open() {
  const clock = { ms: 0 };
  const tenants = createCachedTenants({ freshMs: FRESH_MS, now: () => clock.ms });
  const poll = (versions: Readonly<Record<string, number>> = {}, { shared = 1, startedMs = clock.ms } = {}) =>
    tenants.compare({ ofTenants: new Map(Object.entries(versions)), shared }, startedMs);
  return { clock, tenants, poll, epochOf: tenants.epochOf };
}

test('cached reads are used for less than a second after the start of the last poll', () => {
  const { clock, poll, epochOf } = open();
  expect(epochOf('acme')).toBeNull();
  clock.ms = 100;
  poll({}, { startedMs: 50 });
  clock.ms = 749;
  expect(epochOf('acme')).not.toBeNull();
  clock.ms = 750;
  expect(epochOf('acme')).toBeNull();
});

test('an epoch lasts while polls find the same version', () => {
  const { poll, epochOf } = open();
  poll();
  epochOf('acme');
  epochOf('globex');
  poll({ acme: 5, globex: 1 });
  const acme = epochOf('acme');
  const globex = epochOf('globex');
  poll({ acme: 5, globex: 1 });
  expect(epochOf('acme')).toBe(acme);
  poll({ acme: 6, globex: 1 });
  expect(epochOf('acme')).not.toBe(acme);
  expect(epochOf('globex')).toBe(globex);
});

test('an epoch ends with the first poll of its tenant: a change before it may have come after a read', () => {
  const { poll, epochOf } = open();
  poll();
  const first = epochOf('acme');
  poll({ acme: 1 });
  expect(epochOf('acme')).not.toBe(first);
});

test('an epoch ends with a version that is earlier, as of a restored database', () => {
  const { poll, epochOf } = open();
  poll();
  epochOf('acme');
  poll({ acme: 5 });
  const epoch = epochOf('acme');
  poll({ acme: 4 });
  expect(epochOf('acme')).not.toBe(epoch);
});

test('a change that was heard of ends an epoch, and so does a poll that began before it and ends after it', () => {
  const { tenants, poll, epochOf } = open();
  poll();
  epochOf('acme');
  poll({ acme: 1 });
  const before = epochOf('acme');
  tenants.forget('acme');
  const heard = epochOf('acme');
  expect(heard).not.toBe(before);
  poll({ acme: 1 });
  const polled = epochOf('acme');
  poll({ acme: 2 });
  expect(new Set([heard, polled, epochOf('acme')]).size).toBe(3);
});

test('a change of shared data ends all epochs', () => {
  const { poll, epochOf } = open();
  poll();
  epochOf('acme');
  poll({ acme: 1 });
  const epoch = epochOf('acme');
  poll({ acme: 1 }, { shared: 2 });
  expect(epochOf('acme')).not.toBe(epoch);
});

test('what may have been missed ends all epochs until the next poll', () => {
  const { tenants, poll, epochOf } = open();
  poll();
  epochOf('acme');
  tenants.forgetAll();
  expect([epochOf('acme'), tenants.names()]).toEqual([null, []]);
  poll();
  expect(epochOf('acme')).not.toBeNull();
});
