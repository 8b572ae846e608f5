import { warnOf } from '../engine/warn-of.ts';
import type { SodStore } from '../rulebook/sod-store.ts';
import type { RulebookVersion } from '../rulebook/versions.ts';
import { type CompiledRulebook, unpackRulebook, updateRulebook } from './compile.ts';
import { createRulebookMemory, type KeptRulebook } from './memory.ts';
import { createPackingCompiler } from './packing-compiler.ts';

/** Compiled rulebooks by tenant, kept up to date. */
export interface Rulebooks {
  /** The one in memory, of whatever version; null where there is none. */
  latest(tenant: string): KeptRulebook | null;
  /** The rulebook of this version or a later one. */
  atLeast(tenant: string, version: RulebookVersion): Promise<KeptRulebook>;
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
    if (hasChangedMuch(rulebook)) void recompile(tenant);
    return rulebook;
  };

  // One at a time, so that versions only rise.
  const startLoad = (tenant: string) => {
    const loading = load(tenant).finally(() => loads.delete(tenant));
    loads.set(tenant, loading);
    return loading;
  };

  const recompile = async (tenant: string) => {
    if (recompiling.has(tenant)) return;
    recompiling.add(tenant);
    try {
      const rulebook = await compile(tenant);
      // Policies alone lead to now from both: the catalogue is the same, and the next load has nothing to read anew.
      const latest = memory.get(tenant);
      if (latest === null || !(await isFollowed(sod, tenant, latest))) return;
      if (!(await isFollowed(sod, tenant, rulebook))) return;
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
    atLeast: async (tenant, version) => {
      const known = memory.get(tenant);
      if (known !== null && isAtLeast(known, version)) return known;
      const joined = await loads.get(tenant);
      if (joined !== undefined && isAtLeast(joined, version)) return joined;
      // It began too early. One that begins now finds the version that was read before, or a database that was put back.
      return loads.get(tenant) ?? startLoad(tenant);
    },
    forget: memory.forget,
  };
}

const isFollowed = async (sod: SodStore, tenant: string, known: CompiledRulebook) =>
  (await sod.readPolicyChanges(tenant, known)) !== null;

const isAtLeast = (known: RulebookVersion, { policySetVersion, changeId }: RulebookVersion) =>
  known.policySetVersion === policySetVersion ? known.changeId === changeId : known.policySetVersion > policySetVersion;

const hasChangedMuch = ({ index: { changedPolicies, policyCount } }: CompiledRulebook) =>
  changedPolicies > Math.max(CHANGED_MIN, policyCount * CHANGED_SHARE);
