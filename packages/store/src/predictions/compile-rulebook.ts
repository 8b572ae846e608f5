import {
  type Catalogue,
  changePolicies,
  createCatalogueCompiler,
  createPolicyCompiler,
  createSodIndex,
  type EvaluatedPolicy,
  isEnforced,
  type SodCatalogue,
  type SodIndex,
  sortById,
} from '@access-admin/domain';
import { inParts } from '../engine/concurrency/in-parts.ts';
import { createPauses, type Pause } from '../engine/concurrency/pauses.ts';
import type { SodStore } from '../policies/rulebook/sod-store.ts';
import type { Rulebook, RulebookVersion } from '../policies/rulebook/versions.ts';

/** A compiled rulebook and its version. */
export interface CompiledRulebook extends RulebookVersion {
  readonly index: SodIndex;
}

/** Reads and compiles the whole rulebook, part by part; the event loop turns in between. */
export async function compileRulebook(source: SodStore, tenant: string): Promise<CompiledRulebook> {
  const rulebook = await source.loadRulebook(tenant);
  const { policySetVersion, changeId } = rulebook;
  return { policySetVersion, changeId, index: await compileIndex(rulebook, createPauses(source.closing)) };
}

/** Compiles a rulebook, with a pause after each part of it. */
export const compileIndex = async (
  { policies, catalogue }: Pick<Rulebook, 'policies' | 'catalogue'>,
  pause: Pause,
): Promise<SodIndex> => compilePolicies(policies, await compileCatalogue(catalogue, pause), pause);

/** Compiles a catalogue, with a pause after each part of it. */
export async function compileCatalogue(
  { entitlements, accessProfiles, roles }: Catalogue,
  pause: Pause,
): Promise<SodCatalogue> {
  const compiler = createCatalogueCompiler();
  for (const part of inParts(sortById(entitlements))) {
    compiler.addEntitlements(part);
    await pause();
  }
  for (const part of inParts(sortById(accessProfiles))) {
    compiler.addAccessProfiles(part);
    await pause();
  }
  for (const part of inParts(sortById(roles))) {
    compiler.addRoles(part);
    await pause();
  }
  return compiler.finish();
}

async function compilePolicies(
  policies: readonly EvaluatedPolicy[],
  catalogue: SodCatalogue,
  pause: Pause,
): Promise<SodIndex> {
  const compiler = createPolicyCompiler(catalogue);
  for (const part of inParts(sortById(policies.filter(isEnforced)))) {
    compiler.add(part);
    await pause();
  }
  return createSodIndex(catalogue, compiler.finish());
}

/** Applies the changes since the known version; null when the rulebook has to be read as a whole. */
export async function updateRulebook(
  source: SodStore,
  tenant: string,
  known: CompiledRulebook,
): Promise<CompiledRulebook | null> {
  const changes = await source.readPolicyChanges(tenant, known);
  if (changes === null) return null;
  const { policySetVersion, changeId } = changes;
  const isSame = changes.upserts.length + changes.deletes.length === 0;
  const index = isSame ? known.index : changePolicies(known.index, changes);
  return { policySetVersion, changeId, index };
}
