import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, compareSums, createKnownVersions, type LineVersion } from './known-versions.ts';

/** The sums that the database has of these versions, by brute force. */
function sumsOf(rows: readonly LineVersion[]) {
  const buckets = [...new Set(rows.map(({ tenant }) => bucketOf(tenant)))];
  return buckets.map((bucket) => {
    const inBucket = rows.filter(({ tenant }) => bucketOf(tenant) === bucket);
    return { bucket, sum: inBucket.reduce((sum, { version }) => sum + version, 0), lines: inBucket.length };
  });
}

const rowsOf = (versions: ReadonlyMap<string, number>): readonly LineVersion[] =>
  [...versions].map(([tenant, version]) => ({ tenant, line: '', version }));

const tenants = fc.constantFrom(...Array.from({ length: 200 }, (_, number) => `t-${number}`));

test('a bucket is ahead if and only if one of its versions is not known', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(tenants, fc.boolean())), (commits) => {
      const known = createKnownVersions();
      const database = new Map<string, number>();
      const unknown = new Set<number>();
      for (const [tenant, isHeard] of commits) {
        database.set(tenant, (database.get(tenant) ?? 0) + 1);
        if (isHeard) known.learn({ tenant, line: '', version: database.get(tenant) ?? 0 });
        else unknown.add(bucketOf(tenant));
      }
      for (const [tenant, isHeard] of commits) if (isHeard) unknown.delete(bucketOf(tenant));
      const comparison = compareSums(known.sums(), sumsOf(rowsOf(database)));
      if (comparison === 'otherDatabase') throw new Error('It is the same.');
      // Every bucket with only unheard commits is ahead, and none of which everything is known.
      expect([...unknown].filter((bucket) => !comparison.ahead.includes(bucket))).toEqual([]);
      for (const row of rowsOf(database)) known.learn(row);
      expect(compareSums(known.sums(), sumsOf(rowsOf(database)))).toEqual({ ahead: [] });
    }),
  );
});

test('a version is learnt once, and an older one not at all', () => {
  const known = createKnownVersions();
  const learn = (version: number) => known.learn({ tenant: 'acme', line: 'signIn', version });
  expect([learn(2), learn(2), learn(1), learn(3)]).toEqual([true, false, false, true]);
  expect(known.sums()).toEqual(new Map([[bucketOf('acme'), { sum: 3, lines: 1 }]]));
});

test('fewer or older rows than known are of another database', () => {
  const known = createKnownVersions();
  known.learn({ tenant: 'acme', line: '', version: 3 });
  known.learn({ tenant: 'acme', line: 'signIn', version: 1 });
  const bucket = bucketOf('acme');
  expect(compareSums(known.sums(), [{ bucket, sum: 4, lines: 2 }])).toEqual({ ahead: [] });
  for (const found of [[], [{ bucket, sum: 3, lines: 2 }], [{ bucket, sum: 4, lines: 1 }]])
    expect(compareSums(known.sums(), found)).toBe('otherDatabase');
});
