import { setImmediate } from 'node:timers/promises';
import { packSodIndex } from '@access-admin/domain';
import type { RulebookSource } from '../source/source.ts';
import { type CompiledRulebook, compileRulebook } from './compile.ts';

// Compiling a smaller rulebook takes no longer than reading its pack.
const POLICIES_MIN = 1_000;

/** Compiles whole rulebooks and saves a pack of each large one in the background. A pack only saves time, so a failure to save it is a warning. */
export function createPackingCompiler(source: RulebookSource): (tenant: string) => Promise<CompiledRulebook> {
  const waiting = new Map<string, CompiledRulebook>();
  let isSaving = false;

  // One at a time. Of each tenant only the latest rulebook is saved.
  const saveAll = async () => {
    for (const [tenant, { policySetVersion, changeId, index }] of waiting) {
      waiting.delete(tenant);
      // Callers that wait for the rulebook are served first.
      await setImmediate();
      try {
        source.closing.throwIfAborted();
        await source.savePack(tenant, { policySetVersion, changeId, bytes: packSodIndex(index) });
      } catch (error) {
        source.warn(error);
      }
    }
    isSaving = false;
  };

  return async (tenant) => {
    const rulebook = await compileRulebook(source, tenant);
    if (rulebook.index.policyCount < POLICIES_MIN) return rulebook;
    waiting.set(tenant, rulebook);
    if (!isSaving) {
      isSaving = true;
      void saveAll();
    }
    return rulebook;
  };
}
