import { sodIndexBytes } from '@access-admin/domain';
import { createHeldCache, type HeldSets } from '../held-access/cache.ts';
import type { CompiledRulebook } from './compile.ts';
import { createLruMap } from './lru-map.ts';

/** A compiled rulebook and the entitlements that identities hold, as numbers of its catalogue. */
export interface KeptRulebook extends CompiledRulebook {
  readonly heldSets: HeldSets;
}

export interface RulebookMemory {
  get(tenant: string): KeptRulebook | null;
  /** Replaces the rulebook of the tenant, which must have the same catalogue. */
  keep(tenant: string, rulebook: CompiledRulebook): KeptRulebook;
  forget(tenant: string): void;
}

/** Memory of a tenant besides its rulebook and its held sets. */
const TENANT_BYTES = 1_024;

/** Keeps compiled rulebooks and held sets within `bytesMax`. The rulebook last kept always stays. */
export function createRulebookMemory(bytesMax: number): RulebookMemory {
  const heldCache = createHeldCache(bytesMax);
  // Rulebooks take half at most, so that held sets have room.
  const rulebooks = createLruMap<string, KeptRulebook>(bytesMax / 2, ({ heldSets }) => heldSets.drop());
  return {
    get: (tenant) => rulebooks.get(tenant) ?? null,
    keep: (tenant, rulebook) => {
      const heldSets = rulebooks.get(tenant)?.heldSets ?? heldCache.openSets();
      const kept = { ...rulebook, heldSets };
      rulebooks.set(tenant, kept, sodIndexBytes(rulebook.index) + TENANT_BYTES);
      heldCache.limit(Math.max(0, bytesMax - rulebooks.weight));
      return kept;
    },
    forget: (tenant) => {
      rulebooks.get(tenant)?.heldSets.drop();
      rulebooks.delete(tenant);
    },
  };
}
