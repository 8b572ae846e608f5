import {
  compileGrantingRefs,
  createAccessRefTable,
  createFinderMemory,
  createScanEvaluator,
  createTimedConflictFinder,
  createTimedHoldingsWriter,
  enforcedPlaces,
  type LoadSummary,
  type SodIndex,
  timedAssignmentsOf,
} from '@access-admin/domain';
import { unpackAccess } from '../access/records/access-codec.ts';
import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Reads } from '../engine/database.ts';
import { readDataVersion } from '../governance/reports/source.ts';
import { readRulebook } from '../policies/rulebook/sod-store.ts';
import { compileIndex } from '../predictions/compile-rulebook.ts';
import { readColumns } from '../query/model-tables.ts';

// Evaluating a batch looks at each policy; the texts of its access are in memory, before and after.
const IDENTITIES_AT_ONCE = 5_000;
const LENGTH_AT_ONCE = 16 * 1024 * 1024;
const PAGE_ROWS = 200;

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
  const had = await openState(before, tenant, pause);
  const has = await openState(after, tenant, pause);
  // Where the catalogue is as it was, an identity that is as it was has the violations that it had.
  const since = had.policySetVersion === has.policySetVersion ? had.identityRevision : null;
  let opened = 0;
  let ended = 0;
  for await (const batch of batchesOf(changed, since)) {
    const finderOf = (index: SodIndex, held: readonly string[]) => openFinder(index, held, { nowMs, pause });
    const findBefore = await finderOf(
      had.index,
      batch.map((each) => each.before),
    );
    const findAfter = await finderOf(
      has.index,
      batch.map((each) => each.after),
    );
    // Both states have the same policies.
    for (const policy of enforcedPlaces(has.index).keys()) {
      const violatedBefore = await findBefore(policy);
      const violatedAfter = await findAfter(policy);
      for (const holder of violatedAfter) if (!violatedBefore.has(holder)) opened += 1;
      for (const holder of violatedBefore) if (!violatedAfter.has(holder)) ended += 1;
    }
  }
  return { opened, ended };
}

async function openState(reads: Reads, tenant: string, pause: Pause) {
  const { identityRevision } = await readDataVersion(reads, tenant);
  const rulebook = await readRulebook(reads, tenant);
  return { identityRevision, policySetVersion: rulebook.policySetVersion, index: await compileIndex(rulebook, pause) };
}

/** What an identity holds, as it is stored. */
interface ChangedHolder {
  readonly before: string;
  readonly after: string;
}

/** The identities with a greater revision; all without one. */
async function* batchesOf(
  { tenant, before, after }: ChangedTenant,
  since: number | null,
): AsyncGenerator<readonly ChangedHolder[]> {
  let batch: ChangedHolder[] = [];
  let length = 0;
  for (let last: string | null = ''; last !== null; ) {
    const behind: string = last;
    const rows = await after.read((db) => {
      const all = db
        .selectFrom('identity')
        .select(['id', 'access'])
        .where('tenant', '=', tenant)
        .where('id', '>', behind);
      const some = since === null ? all : all.where('revision', '>', since);
      return some.orderBy('id').limit(PAGE_ROWS).execute();
    });
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
    if (batch.length >= IDENTITIES_AT_ONCE || length >= LENGTH_AT_ONCE) {
      yield batch;
      [batch, length] = [[], 0];
    }
    last = rows.length < PAGE_ROWS ? null : (rows.at(-1)?.id ?? null);
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
  const writer = createTimedHoldingsWriter();
  for (const access of held) {
    writer.add(timedAssignmentsOf(unpackAccess(access), refs, { fromMs: nowMs, isInstant: false }));
    await pause();
  }
  const timed = writer.finish(refs.count);
  const access = { timed, grantingRefs: compileGrantingRefs(refs, index.catalogue), gain: null };
  const finder = createTimedConflictFinder(access, createFinderMemory());
  const evaluator = createScanEvaluator(index);
  return async (policy) => {
    const found = new Set<number>();
    do {
      evaluator.evaluate(policy, finder, (_, holder) => found.add(holder));
      await pause();
    } while (finder.nextBatch());
    return found;
  };
}
