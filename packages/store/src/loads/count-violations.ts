import {
  type AccessRef,
  compileGrantingRefs,
  createAccessRefTable,
  createFinderMemory,
  createScanEvaluator,
  createTimedConflictFinder,
  enforcedPlaces,
  holderBatches,
  type LoadSummary,
  type SodIndex,
} from '@access-admin/domain';
import { unpackAccess } from '../access/records/access-codec.ts';
import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Reads } from '../engine/database.ts';
import { pagesOf, readDataVersion } from '../governance/reports/source.ts';
import { readRulebook } from '../policies/rulebook/sod-store.ts';
import type { Rulebook } from '../policies/rulebook/versions.ts';
import { compileIndex } from '../predictions/compile-rulebook.ts';
import { timedHoldingsOf } from '../predictions/timed-holdings.ts';
import { readColumns } from '../query/model-tables.ts';

// Evaluating a batch looks at each policy; the texts of its access are in memory, before and after.
const IDENTITIES_AT_ONCE = 5_000;
const LENGTH_AT_ONCE = 16 * 1024 * 1024;
// The access of an identity may have a megabyte, and that of a page is in memory beside a batch.
const PAGE_ROWS = 25;

/** A change of a tenant, by reads of the states before and after it. */
interface ChangedTenant {
  readonly tenant: string;
  readonly before: Reads;
  readonly after: Reads;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Counts the violations from now on that a change of accounts and their catalogue opens and ends, as a scan before and one after it would. */
export async function countViolations(
  changed: ChangedTenant,
  pause: Pause,
): Promise<NonNullable<LoadSummary['violations']>> {
  const { tenant, before, after, nowMs } = changed;
  const { identityRevision: since } = await readDataVersion(before, tenant);
  const had = await readRulebook(before, tenant);
  const has = await readRulebook(after, tenant);
  const regranted = had.policySetVersion === has.policySetVersion ? null : await findRegranted(had, has, pause);
  const indexBefore = await compileIndex(had, pause);
  const indexAfter = await compileIndex(has, pause);
  let opened = 0;
  let ended = 0;
  for await (const batch of batchesOf(changed, { since, regranted })) {
    const finderOf = (index: SodIndex, held: readonly string[]) => openFinder(index, held, { nowMs, pause });
    const findBefore = await finderOf(
      indexBefore,
      batch.map((each) => each.before),
    );
    const findAfter = await finderOf(
      indexAfter,
      batch.map((each) => each.after),
    );
    // Both states have the same policies.
    for (const policy of enforcedPlaces(indexAfter).keys()) {
      const violatedBefore = await findBefore(policy);
      const violatedAfter = await findAfter(policy);
      for (const holder of violatedAfter) if (!violatedBefore.has(holder)) opened += 1;
      for (const holder of violatedBefore) if (!violatedAfter.has(holder)) ended += 1;
    }
  }
  return { opened, ended };
}

/** Roles and access profiles that grant something else than before. */
interface Regranted {
  has(ref: AccessRef): boolean;
}

/** Finds what grants something else than before; null for nothing. What is new is held by nobody whose access is as it was. */
async function findRegranted(
  { catalogue: before }: Pick<Rulebook, 'catalogue'>,
  { catalogue: after }: Pick<Rulebook, 'catalogue'>,
  pause: Pause,
): Promise<Regranted | null> {
  const differing = async <R extends { readonly id: string }>(
    had: readonly R[],
    has: readonly R[],
    contentOf: (record: R) => unknown,
  ) => {
    const contents = new Map(had.map((record) => [record.id, JSON.stringify(contentOf(record))]));
    const ids = new Set<string>();
    for (const record of has) {
      const content = contents.get(record.id);
      if (content !== undefined && content !== JSON.stringify(contentOf(record))) ids.add(record.id);
      await pause();
    }
    return ids;
  };
  const profiles = await differing(before.accessProfiles, after.accessProfiles, ({ entitlements }) => entitlements);
  const roles = await differing(before.roles, after.roles, ({ entitlements, accessProfiles }) => [
    entitlements,
    accessProfiles,
  ]);
  for (const { id, accessProfiles } of after.roles)
    if (accessProfiles.some((each) => profiles.has(each))) roles.add(id);
  if (profiles.size + roles.size === 0) return null;
  return { has: ({ type, id }) => (type === 'ROLE' ? roles.has(id) : type === 'ACCESS_PROFILE' && profiles.has(id)) };
}

/** What an identity holds, as it is stored. */
interface ChangedHolder {
  readonly before: string;
  readonly after: string;
}

/** Which identities may have other violations: those with a greater revision, and those that hold what grants something else. */
interface Affected {
  readonly since: number;
  readonly regranted: Regranted | null;
}

async function* batchesOf(
  { tenant, before, after }: ChangedTenant,
  { since, regranted }: Affected,
): AsyncGenerator<readonly ChangedHolder[]> {
  let batch: ChangedHolder[] = [];
  let length = 0;
  const pages = pagesOf(
    { from: '', before: null },
    {
      size: PAGE_ROWS,
      readPage: ({ after: behind = '' }, limit) =>
        after.read((db) => {
          const all = db
            .selectFrom('identity')
            .select(['id', 'access', 'revision'])
            .where('tenant', '=', tenant)
            .where('id', '>', behind);
          const some = regranted === null ? all.where('revision', '>', since) : all;
          return some.orderBy('id').limit(limit).execute();
        }),
    },
  );
  for await (const page of pages) {
    const rows = page.filter(
      ({ revision, access }) => revision > since || unpackAccess(access).some((ref) => regranted?.has(ref)),
    );
    const held = new Map<string, string>();
    await before.read(async (db) => {
      const from = { table: 'identity', tenant, by: 'id', columns: ['id', 'access'] } as const;
      for await (const some of readColumns(db, from, new Set(rows.map(({ id }) => id))))
        for (const { id, access } of some) held.set(id, access);
    });
    for (const { id, access } of rows) {
      const holder = { before: held.get(id) ?? '[]', after: access };
      batch.push(holder);
      length += holder.before.length + holder.after.length;
    }
    if (batch.length < IDENTITIES_AT_ONCE && length < LENGTH_AT_ONCE) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Finds the holders that violate a policy, by its number, from now on. */
async function openFinder(
  index: SodIndex,
  held: readonly string[],
  { nowMs, pause }: { readonly nowMs: number; readonly pause: Pause },
): Promise<(policy: number) => Promise<ReadonlySet<number>>> {
  const refs = createAccessRefTable();
  const timed = await timedHoldingsOf(held, refs, { fromMs: nowMs, isInstant: false, pause });
  const access = { timed, grantingRefs: compileGrantingRefs(refs, index.catalogue), gain: null };
  const finder = createTimedConflictFinder(access, createFinderMemory());
  const evaluator = createScanEvaluator(index);
  return async (policy) => {
    const found = new Set<number>();
    for (const batch of holderBatches(finder)) {
      evaluator.evaluate(policy, batch, (_, holder) => found.add(holder));
      await pause();
    }
    return found;
  };
}
