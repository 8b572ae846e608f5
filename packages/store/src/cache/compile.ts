import { changePolicies, compileSodIndexInSteps, type SodIndex, unpackSodIndexInSteps } from '@access-admin/domain';
import { createBreather } from '../concurrency/breather.ts';
import type { SodStore } from '../rulebook/sod-store.ts';
import type { RulebookChanges, RulebookVersion } from '../rulebook/versions.ts';

/** A rulebook, compiled. */
export interface CompiledRulebook extends RulebookVersion {
  readonly index: SodIndex;
}

/** Reads and compiles the whole rulebook while others are served. */
export async function compileRulebook(sod: SodStore, tenant: string): Promise<CompiledRulebook> {
  const { policySetVersion, changeId, policies, catalogue } = await sod.loadRulebook(tenant);
  const index = await runSteps(sod, compileSodIndexInSteps(policies, catalogue));
  return { policySetVersion, changeId, index };
}

/** From the pack that the store keeps; null where there is none that is of use. */
export async function unpackRulebook(sod: SodStore, tenant: string): Promise<CompiledRulebook | null> {
  const found = await sod.loadPack(tenant);
  if (found === null) return null;
  const index = await runSteps(sod, unpackSodIndexInSteps(found.pack.bytes));
  return index === null ? null : changeRulebook(index, found.changes);
}

/** Others are served in between. A store that closes has no use for the end. */
async function runSteps<T>({ closing }: SodStore, steps: Generator<void, T>): Promise<T> {
  const breathe = createBreather();
  for (;;) {
    closing.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    await breathe();
  }
}

/** Null when the rulebook has to be read anew. */
export async function updateRulebook(
  sod: SodStore,
  tenant: string,
  known: CompiledRulebook,
): Promise<CompiledRulebook | null> {
  const changes = await sod.readPolicyChanges(tenant, known);
  return changes === null ? null : changeRulebook(known.index, changes);
}

function changeRulebook(index: SodIndex, changes: RulebookChanges): CompiledRulebook {
  const { policySetVersion, changeId } = changes;
  const isSame = changes.upserts.length + changes.deletes.length === 0;
  return { policySetVersion, changeId, index: isSame ? index : changePolicies(index, changes) };
}
