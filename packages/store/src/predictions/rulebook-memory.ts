import { sodIndexBytes } from '@access-admin/domain';
import { LRUCache } from 'lru-cache';
import type { CompiledRulebook } from './compile-rulebook.ts';

/** A compiled rulebook in memory. */
export interface KeptRulebook extends CompiledRulebook {
  /** Identifies the numbering of access: rulebooks of a tenant have equal ids when their catalogues number access alike. */
  readonly catalogueId: number;
}

export interface RulebookMemory {
  get(tenant: string): KeptRulebook | null;
  /** Keeps a rulebook in the place of the tenant's; one with another catalogue only after `forget`. */
  keep(tenant: string, rulebook: CompiledRulebook): KeptRulebook;
  forget(tenant: string): void;
}

/** Memory of a tenant besides its rulebook. */
const TENANT_BYTES = 1_024;

/** Keeps the rulebooks that were used last, within `bytesMax`. The one last kept always stays. */
export function createRulebookMemory(bytesMax: number): RulebookMemory {
  const maxSize = Math.max(1, Math.floor(bytesMax));
  const rulebooks = new LRUCache<string, KeptRulebook>({
    maxSize,
    // One that is larger takes the place of all others: what is larger than `maxSize` would not be kept.
    sizeCalculation: ({ index }) => Math.min(maxSize, Math.ceil(sodIndexBytes(index)) + TENANT_BYTES),
  });
  let lastCatalogueId = 0;
  return {
    get: (tenant) => rulebooks.get(tenant) ?? null,
    keep: (tenant, rulebook) => {
      const catalogueId = rulebooks.get(tenant)?.catalogueId ?? ++lastCatalogueId;
      const kept = { ...rulebook, catalogueId };
      rulebooks.set(tenant, kept);
      return kept;
    },
    forget: (tenant) => {
      rulebooks.delete(tenant);
    },
  };
}
