import type { SodStore } from '../policies/rulebook/sod-store.ts';
import type { RulebookVersion } from '../policies/rulebook/versions.ts';
import { type CompiledRulebook, compileRulebook, updateRulebook } from './compile-rulebook.ts';
import { createRulebookMemory, type KeptRulebook } from './rulebook-memory.ts';

/** Compiled rulebooks by tenant, loaded and updated on demand. */
export interface RulebookLoader {
  /** The rulebook in memory, of any version; null when there is none. */
  latest(tenant: string): KeptRulebook | null;
  /** The rulebook of this version or a later one. */
  atLeast(tenant: string, version: RulebookVersion): Promise<KeptRulebook>;
  forget(tenant: string): void;
}

// Each change makes an index slightly larger and slower than one compiled as a whole.
const CHANGED_MIN = 50;
const CHANGED_SHARE = 0.005;

export function createRulebookLoader(source: SodStore, bytesMax: number): RulebookLoader {
  const memory = createRulebookMemory(bytesMax);
  const loads = new Map<string, Promise<KeptRulebook>>();
  // Compiled in the background while the one in memory may have been updated. The next load starts from these.
  const recompiled = new Map<string, CompiledRulebook>();
  const recompiling = new Set<string>();

  const load = async (tenant: string) => {
    const known = recompiled.get(tenant) ?? memory.get(tenant);
    recompiled.delete(tenant);
    const updated = known === null ? null : await updateRulebook(source, tenant, known);
    if (updated === null) {
      const rulebook = await compileRulebook(source, tenant);
      memory.forget(tenant);
      return memory.keep(tenant, rulebook);
    }
    const rulebook = memory.keep(tenant, updated);
    if (hasChangedMuch(rulebook)) void recompile(tenant);
    return rulebook;
  };

  // One load of a tenant at a time, so that versions only rise.
  const startLoad = (tenant: string) => {
    const loading = load(tenant).finally(() => loads.delete(tenant));
    loads.set(tenant, loading);
    return loading;
  };

  const recompile = async (tenant: string) => {
    if (recompiling.has(tenant)) return;
    recompiling.add(tenant);
    try {
      const rulebook = await compileRulebook(source, tenant);
      // When only policies have changed since both versions, their catalogues are equal, so held sets stay valid.
      const latest = memory.get(tenant);
      if (latest === null || !(await hasKnownChanges(source, tenant, latest))) return;
      if (!(await hasKnownChanges(source, tenant, rulebook))) return;
      recompiled.set(tenant, rulebook);
      while (recompiled.get(tenant) === rulebook) await (loads.get(tenant) ?? startLoad(tenant));
    } catch (error) {
      // The rulebook in memory stays in use, and the next change tries again.
      source.warn(error);
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
      // That load began too early. A load that begins now finds this version or a later one, or a restored database.
      return loads.get(tenant) ?? startLoad(tenant);
    },
    forget: memory.forget,
  };
}

const hasKnownChanges = async (source: SodStore, tenant: string, known: CompiledRulebook) =>
  (await source.readPolicyChanges(tenant, known)) !== null;

const isAtLeast = (known: RulebookVersion, { policySetVersion, changeId }: RulebookVersion) =>
  known.policySetVersion === policySetVersion ? known.changeId === changeId : known.policySetVersion > policySetVersion;

const hasChangedMuch = ({ index: { changedPolicies, policyCount } }: CompiledRulebook) =>
  changedPolicies > Math.max(CHANGED_MIN, policyCount * CHANGED_SHARE);
