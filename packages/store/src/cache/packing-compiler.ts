import { setImmediate } from 'node:timers/promises';
import { packSodIndex } from '@access-admin/domain';
import { warnOf } from '../engine/warn-of.ts';
import type { SodStore } from '../rulebook/sod-store.ts';
import { type CompiledRulebook, compileRulebook } from './compile.ts';

// A smaller one is compiled as fast as it is read.
const POLICIES_MIN = 1_000;

/** Compiles whole rulebooks, and keeps each as a pack in the store later. A pack only saves time: the storage may refuse it. */
export function createPackingCompiler(sod: SodStore): (tenant: string) => Promise<CompiledRulebook> {
  const waiting = new Map<string, CompiledRulebook>();
  let isSaving = false;

  // One after the other; the latest of a tenant is enough.
  const saveAll = async () => {
    for (const [tenant, { policySetVersion, changeId, index }] of waiting) {
      waiting.delete(tenant);
      // Who waits for the rulebook is answered first.
      await setImmediate();
      try {
        sod.closing.throwIfAborted();
        await sod.savePack(tenant, { policySetVersion, changeId, bytes: packSodIndex(index) });
      } catch (error) {
        warnOf(error);
      }
    }
    isSaving = false;
  };

  return async (tenant) => {
    const rulebook = await compileRulebook(sod, tenant);
    if (rulebook.index.policyCount < POLICIES_MIN) return rulebook;
    waiting.set(tenant, rulebook);
    if (!isSaving) {
      isSaving = true;
      void saveAll();
    }
    return rulebook;
  };
}
