import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHeldCache, type HeldSets } from './cache.ts';

const numbers = (...held: readonly number[]) => Uint32Array.from(held);

describe('held sets', () => {
  test('are known by identity and revision', () => {
    const sets = createHeldCache(1_000_000).openSets();
    sets.set('i-1', 1, numbers(3, 5));
    sets.set('i-2', 2 ** 32 + 1, numbers());
    expect(sets.get('i-1', 1)).toEqual(numbers(3, 5));
    expect(sets.get('i-2', 2 ** 32 + 1)).toEqual(numbers());
    expect([sets.get('i-1', 2), sets.get('i-1', 2 ** 32 + 1), sets.get('i-2', 1), sets.get('i-3', 1)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    sets.set('i-1', 2, numbers(7));
    expect([sets.get('i-1', 1), sets.get('i-1', 2)]).toEqual([null, numbers(7)]);
    sets.delete('i-1');
    expect(sets.get('i-1', 2)).toBeNull();
  });

  test('that were read stay longer than others', () => {
    const sets = createHeldCache(64 * 1_024).openSets();
    const held = new Uint32Array(50);
    for (let round = 0; round < 10_000; round++) {
      if (sets.get('used', 1) === null) {
        expect(round).toBe(0);
        sets.set('used', 1, numbers(1, 2, 3));
      }
      sets.set(`i-${round}`, 1, held);
    }
    expect(sets.get('i-0', 1)).toBeNull();
    expect(sets.get('i-9999', 1)).toEqual(held);
  });

  test('of the current revision stay longer than earlier ones', () => {
    const sets = createHeldCache(64 * 1_024).openSets();
    sets.set('i-1', 1, numbers(1));
    expect(sets.get('i-1', 1)).toEqual(numbers(1));
    // Seventeen entries of 4 kB do not fit: the first segments go.
    for (let round = 0; round < 7; round++) sets.set(`before-${round}`, 1, new Uint32Array(1_000));
    sets.set('i-1', 2, numbers(2));
    for (let round = 0; round < 9; round++) sets.set(`after-${round}`, 1, new Uint32Array(1_000));
    expect(sets.get('before-0', 1)).toBeNull();
    expect(sets.get('i-1', 2)).toEqual(numbers(2));
  });

  test('stay unchanged for their readers when they are dropped', () => {
    const cache = createHeldCache(16 * 1_024);
    const sets = cache.openSets();
    sets.set('i-1', 1, numbers(1, 2, 3));
    const held = sets.get('i-1', 1);
    for (let round = 0; round < 1_000; round++) sets.set(`i-${round}`, 2, new Uint32Array(100).fill(round));
    cache.limit(0);
    expect(sets.get('i-999', 2)).toBeNull();
    expect(held).toEqual(numbers(1, 2, 3));
  });

  test('of one catalogue are separate from those of another, and none is found once they are dropped', () => {
    const cache = createHeldCache(1_000_000);
    const one = cache.openSets();
    const other = cache.openSets();
    one.set('i-1', 1, numbers(1));
    expect(other.get('i-1', 1)).toBeNull();
    other.set('i-1', 1, numbers(2));
    one.drop();
    one.set('i-2', 1, numbers(3));
    expect([one.get('i-1', 1), one.get('i-2', 1), other.get('i-1', 1)]).toEqual([null, null, numbers(2)]);
  });

  test.each([0, 100, 5_000, 50_000, 1_000_000])('in %i bytes are never wrong', (bytesMax) => {
    const id = fc.integer({ min: 0, max: 5 }).map((number) => `i-${number}`);
    const owner = fc.nat({ max: 1 });
    const revision = fc.nat({ max: 1 });
    const length = fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 600 }));
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ auditContext: fc.constant('set' as const), owner, id, revision, length }),
      },
      { weight: 4, arbitrary: fc.record({ auditContext: fc.constant('get' as const), owner, id, revision }) },
      { weight: 1, arbitrary: fc.record({ auditContext: fc.constant('delete' as const), owner, id }) },
      { weight: 1, arbitrary: fc.record({ auditContext: fc.constant('drop' as const), owner }) },
      {
        weight: 1,
        arbitrary: fc.record({
          auditContext: fc.constant('limit' as const),
          share: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 200 }), (steps) => {
        const cache = createHeldCache(bytesMax);
        const opened: HeldSets[] = [cache.openSets(), cache.openSets()];
        const truth: Map<string, { revision: number; held: Uint32Array }>[] = [new Map(), new Map()];
        const taken: { held: Uint32Array; copy: Uint32Array }[] = [];
        for (const [at, step] of steps.entries()) {
          if (step.auditContext === 'limit') {
            cache.limit(Math.floor(bytesMax * step.share));
            continue;
          }
          const sets = opened[step.owner];
          const known = truth[step.owner];
          if (sets === undefined || known === undefined) throw new Error('no owner');
          if (step.auditContext === 'set') {
            const held = new Uint32Array(step.length).fill(at);
            sets.set(step.id, step.revision, held);
            known.set(step.id, { revision: step.revision, held });
          } else if (step.auditContext === 'delete') {
            sets.delete(step.id);
            known.delete(step.id);
          } else if (step.auditContext === 'drop') {
            sets.drop();
            known.clear();
            opened[step.owner] = cache.openSets();
          } else {
            const held = sets.get(step.id, step.revision);
            const expected = known.get(step.id);
            if (held === null) continue;
            expect(expected?.revision).toBe(step.revision);
            expect(held).toEqual(expected?.held);
            taken.push({ held, copy: held.slice() });
          }
        }
        for (const { held, copy } of taken) expect(held).toEqual(copy);
      }),
      { numRuns: 300 },
    );
  });
});
