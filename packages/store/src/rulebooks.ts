import { type CompiledRulebook, unpackRulebook, updateRulebook } from './compile-rulebook.ts';
import { createPackingCompiler } from './packing-compiler.ts';
import { createRulebookMemory, type KeptRulebook } from './rulebook-memory.ts';
import type { SodStore } from './store.ts';
import { warnOf } from './warn-of.ts';

/** Compiled rulebooks by tenant, kept up to date. */
export interface Rulebooks {
  /** The one in memory, of whatever version; null where there is none. */
  latest(tenant: string): KeptRulebook | null;
  /** The rulebook of this policy-set version or a later one. */
  atLeast(tenant: string, policySetVersion: number): Promise<KeptRulebook>;
  forget(tenant: string): void;
}

/** Each change makes an index a little larger and slower than one that is compiled anew. */
const CHANGED_MIN = 50;
const CHANGED_SHARE = 0.005;

export function createRulebooks(sod: SodStore, cacheBytes: number): Rulebooks {
  const memory = createRulebookMemory(cacheBytes);
  const compile = createPackingCompiler(sod);
  const loads = new Map<string, Promise<KeptRulebook>>();
  /** Compiled anew beside the one in use, which may have gone on meanwhile: the next load begins with it. */
  const recompiled = new Map<string, CompiledRulebook>();
  const recompiling = new Set<string>();

  const load = async (tenant: string) => {
    const known = recompiled.get(tenant) ?? memory.get(tenant);
    recompiled.delete(tenant);
    const updated = known === null ? null : await updateRulebook(sod, tenant, known);
    if (updated === null) {
      const rulebook = (await unpackRulebook(sod, tenant)) ?? (await compile(tenant));
      memory.forget(tenant);
      return memory.keep(tenant, rulebook);
    }
    const rulebook = memory.keep(tenant, updated);
    if (hasChangedMuch(rulebook)) void recompile(tenant, rulebook);
    return rulebook;
  };

  // One at a time, so that versions only rise.
  const startLoad = (tenant: string) => {
    const loading = load(tenant).finally(() => loads.delete(tenant));
    loads.set(tenant, loading);
    return loading;
  };

  const recompile = async (tenant: string, known: CompiledRulebook) => {
    if (recompiling.has(tenant)) return;
    recompiling.add(tenant);
    try {
      const rulebook = await compile(tenant);
      // Where the catalogue has changed too, whoever needs that loads it.
      if ((await sod.readPolicyChanges(tenant, known)) === null) return;
      recompiled.set(tenant, rulebook);
      while (recompiled.get(tenant) === rulebook) await (loads.get(tenant) ?? startLoad(tenant));
    } catch (error) {
      // The one in use goes on to serve, and the next change tries again.
      warnOf(error);
    } finally {
      recompiling.delete(tenant);
    }
  };

  return {
    latest: memory.get,
    atLeast: async (tenant, policySetVersion) => {
      const known = memory.get(tenant);
      if (known !== null && known.policySetVersion >= policySetVersion) return known;
      const joined = await loads.get(tenant);
      if (joined !== undefined && joined.policySetVersion >= policySetVersion) return joined;
      // It began too early. One that begins now finds the version that was read before, or a database that was put back.
      return loads.get(tenant) ?? startLoad(tenant);
    },
    forget: memory.forget,
  };
}

const hasChangedMuch = ({ index: { changedPolicies, policyCount } }: CompiledRulebook) =>
  changedPolicies > Math.max(CHANGED_MIN, policyCount * CHANGED_SHARE);
