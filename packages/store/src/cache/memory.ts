import { sodIndexBytes } from '@access-admin/domain';
import type { CompiledRulebook } from './compile.ts';
import { createHeldCache, type HeldSets } from './held-cache.ts';
import { createLruMap } from './lru-map.ts';

/** A compiled rulebook and what identities hold in the numbers of its catalogue. */
export interface KeptRulebook extends CompiledRulebook {
  readonly heldSets: HeldSets;
}

export interface RulebookMemory {
  get(tenant: string): KeptRulebook | null;
  /** In place of the one that is there, which must have the same catalogue. */
  keep(tenant: string, rulebook: CompiledRulebook): KeptRulebook;
  forget(tenant: string): void;
}

/** What a tenant takes besides its rulebook and what is held. */
const TENANT_BYTES = 1_024;

/** Compiled rulebooks and held sets within so many bytes, but that the rulebook last kept always stays. */
export function createRulebookMemory(bytesMax: number): RulebookMemory {
  const heldCache = createHeldCache(bytesMax);
  // Half at most, so that what is held has room too.
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
