import { changePolicies, compileSodIndexInSteps, type SodIndex, unpackSodIndexInSteps } from '@access-admin/domain';
import { runSteps } from '../source/run-steps.ts';
import type { RulebookSource, RulebookVersion } from '../source/source.ts';

/** A compiled rulebook and its version. */
export interface CompiledRulebook extends RulebookVersion {
  readonly index: SodIndex;
}

/** Reads and compiles the whole rulebook, in steps between which the event loop turns. */
export async function compileRulebook(source: RulebookSource, tenant: string): Promise<CompiledRulebook> {
  const { policySetVersion, changeId, policies, catalogue } = await source.loadRulebook(tenant);
  const index = await runSteps(compileSodIndexInSteps(policies, catalogue), source.closing);
  return { policySetVersion, changeId, index };
}

/** Unpacks the stored pack; null when there is none that can be used. */
export async function unpackRulebook(source: RulebookSource, tenant: string): Promise<CompiledRulebook | null> {
  const found = await source.loadPack(tenant);
  if (found === null) return null;
  const index = await runSteps(unpackSodIndexInSteps(found.pack.bytes), source.closing);
  return index === null ? null : changeRulebook(index, found.changes);
}

/** Applies the changes since the known version; null when the rulebook has to be read as a whole. */
export async function updateRulebook(
  source: RulebookSource,
  tenant: string,
  known: CompiledRulebook,
): Promise<CompiledRulebook | null> {
  const changes = await source.readPolicyChanges(tenant, known);
  return changes === null ? null : changeRulebook(known.index, changes);
}

type Changes = NonNullable<Awaited<ReturnType<RulebookSource['readPolicyChanges']>>>;

function changeRulebook(index: SodIndex, changes: Changes): CompiledRulebook {
  const { policySetVersion, changeId } = changes;
  const isSame = changes.upserts.length + changes.deletes.length === 0;
  return { policySetVersion, changeId, index: isSame ? index : changePolicies(index, changes) };
}
