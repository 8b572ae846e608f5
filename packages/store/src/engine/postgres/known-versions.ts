import { crc32 } from 'node:zlib';

/** How often a line of writes of a tenant has changed cached reads. */
export interface LineVersion {
  readonly tenant: string;
  readonly line: string;
  readonly version: number;
}

/** The sum of the versions of a bucket of tenants, and the number of their lines. */
export interface BucketSum {
  readonly bucket: number;
  readonly sum: number;
  readonly lines: number;
}

const BUCKETS = 64;

/** The bucket of a tenant. Rows keep it, so it never changes. */
export const bucketOf = (tenant: string): number => crc32(tenant) % BUCKETS;

/** How the sums of the database relate to those known: some buckets are ahead, or the database is not the one known. */
export type Comparison = { readonly ahead: readonly number[] } | 'otherDatabase';

/** The sums known at an instant. */
export type KnownSums = ReadonlyMap<number, Omit<BucketSum, 'bucket'>>;

/** The versions that this process knows. A version only grows, so the sum of a bucket grows if and only if one of them has. */
export interface KnownVersions {
  /** Whether the version is later than the known one, which it replaces then. */
  learn(found: LineVersion): boolean;
  forgetAll(): void;
  sums(): KnownSums;
}

export function createKnownVersions(): KnownVersions {
  const versions = new Map<string, number>();
  const sums = new Map<number, Omit<BucketSum, 'bucket'>>();
  return {
    learn: ({ tenant, line, version }) => {
      const key = `${tenant} ${line}`;
      const known = versions.get(key);
      if (known !== undefined && version <= known) return false;
      versions.set(key, version);
      const bucket = bucketOf(tenant);
      const { sum, lines } = sums.get(bucket) ?? { sum: 0, lines: 0 };
      sums.set(bucket, { sum: sum + version - (known ?? 0), lines: known === undefined ? lines + 1 : lines });
      return true;
    },
    forgetAll: () => {
      versions.clear();
      sums.clear();
    },
    sums: () => new Map(sums),
  };
}

/**
 * Compares sums of the database with those that were known before they were asked for. All that is known then was committed, so
 * a sum below the known one comes of another database, such as a restored backup, or of removed rows.
 */
export function compareSums(known: KnownSums, found: readonly BucketSum[]): Comparison {
  const foundSums = new Map(found.map((row) => [row.bucket, row]));
  for (const [bucket, { sum, lines }] of known) {
    const now = foundSums.get(bucket) ?? { sum: 0, lines: 0 };
    if (now.sum < sum || now.lines < lines) return 'otherDatabase';
  }
  return {
    ahead: found
      .filter(({ bucket, sum, lines }) => {
        const before = known.get(bucket) ?? { sum: 0, lines: 0 };
        return sum > before.sum || lines > before.lines;
      })
      .map(({ bucket }) => bucket),
  };
}
