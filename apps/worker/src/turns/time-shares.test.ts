import { seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../test/report-world.ts';
import { createTimeShares } from './time-shares.ts';

const SLICE_MS_MAX = 40;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('time is shared', () => {
  test('equally between tenants that always have work, except for one slice, however long their slices are', () => {
    for (const seed of seeds(200)) {
      const random = createRandom(seed);
      const shares = createTimeShares();
      const names = NAMES.slice(0, 2 + random(5));
      // Some tenants have short slices only, others long ones.
      const slices = new Map(names.map((name) => [name, 1 + random(SLICE_MS_MAX)]));
      const taken = new Map(names.map((name) => [name, 0]));
      for (const name of names) shares.enter(name);
      for (let turn = 0; turn < 500; turn++) {
        const name = shares.next() ?? '';
        const ms = 1 + random(slices.get(name) ?? 0);
        shares.charge(name, ms);
        taken.set(name, (taken.get(name) ?? 0) + ms);
        const times = [...taken.values()];
        expect(Math.max(...times) - Math.min(...times), `seed ${seed}`).toBeLessThanOrEqual(SLICE_MS_MAX);
      }
    }
  });

  test('so that any two tenants get the same while both have work, except for two slices, and none waits for long', () => {
    for (const seed of seeds(200)) {
      const random = createRandom(seed);
      const shares = createTimeShares();
      /** What each present tenant has had since the last arrival or departure of any. */
      let since = new Map<string, number>();
      const waits = new Map<string, number>();
      for (let turn = 0; turn < 2_000; turn++) {
        if (random(20) === 0) {
          const name = NAMES[random(NAMES.length)] ?? '';
          if (since.delete(name)) shares.leave(name);
          else {
            shares.enter(name);
            since.set(name, 0);
          }
          since = new Map(Array.from(since.keys(), (each) => [each, 0]));
          waits.delete(name);
        }
        const name = shares.next();
        expect(name === null).toBe(since.size === 0);
        if (name === null) continue;
        const ms = random(SLICE_MS_MAX + 1);
        shares.charge(name, ms);
        since.set(name, (since.get(name) ?? Number.NaN) + ms);
        for (const other of since.keys()) waits.set(other, other === name ? 0 : (waits.get(other) ?? 0) + ms);
        const times = [...since.values()];
        expect(Math.max(...times) - Math.min(...times), `seed ${seed}`).toBeLessThanOrEqual(2 * SLICE_MS_MAX);
        for (const [other, waited] of waits)
          if (since.has(other)) expect(waited).toBeLessThanOrEqual(2 * NAMES.length * SLICE_MS_MAX);
      }
    }
  });

  test('without credit for time in which a tenant had no work', () => {
    const shares = createTimeShares();
    shares.enter('busy');
    for (let turn = 0; turn < 100; turn++) shares.charge(shares.next() ?? '', 10);
    shares.enter('late');
    const turns = Array.from({ length: 10 }, () => {
      const name = shares.next() ?? '';
      shares.charge(name, 10);
      return name;
    });
    // It comes next, and then in turn.
    expect(turns[0]).toBe('late');
    expect(turns.filter((name) => name === 'late')).toHaveLength(5);
  });

  test('and a debt is not forgotten when a tenant leaves and comes back', () => {
    const shares = createTimeShares();
    shares.enter('long');
    shares.enter('short');
    expect(shares.next()).toBe('long');
    shares.charge('long', 100);
    shares.leave('long');
    shares.enter('long');
    const turns = Array.from({ length: 10 }, () => {
      const name = shares.next() ?? '';
      shares.charge(name, 10);
      return name;
    });
    expect(new Set(turns)).toEqual(new Set(['short']));
  });

  test('with the same memory for any number of tenants that have left', () => {
    const shares = createTimeShares();
    for (let number = 0; number < 5_000; number++) {
      shares.enter(`t-${number}`);
      expect(shares.next()).toBe(`t-${number}`);
      shares.charge(`t-${number}`, 1);
      shares.leave(`t-${number}`);
    }
    expect(shares.next()).toBeNull();
  });
});
