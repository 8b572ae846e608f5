import { setImmediate } from 'node:timers/promises';
import { compileSodIndex, expandAccess, type SodIndex } from '@access-admin/domain';
import { createLruMap } from './lru-map.ts';
import type { IdentityVersion, SodStore } from './store.ts';

/** What a prediction for one identity is made from, all as of one moment. */
export interface SodReading {
  readonly index: SodIndex;
  /** The entitlements that the identity has, as numbers of the index; null when there is no such identity. */
  readonly held: Uint32Array | null;
  readonly policySetVersion: number;
}

export interface SodReader {
  /** As fresh as `readVersion` of the store. */
  read(tenant: string, identityId: string): Promise<SodReading>;
}

/** A compiled rulebook. Each compilation numbers the entitlements anew, so that what was expanded with one is no use to another. */
interface Compiled {
  readonly policySetVersion: number;
  readonly compilation: number;
  readonly index: SodIndex;
}

interface Expanded {
  readonly compilation: number;
  readonly revision: number;
  readonly held: Uint32Array;
}

const TENANTS_MAX = 100;
const IDENTITIES_MAX = 200_000;

/** Keeps compiled rulebooks and expanded access in memory for as long as the store says that they are current. */
export function createSodReader(sod: SodStore, options: { readonly identitiesMax?: number } = {}): SodReader {
  const expandedByIdentity = createLruMap<string, Expanded>(options.identitiesMax ?? IDENTITIES_MAX);
  const rulebooks = createRulebooks(sod);

  const readOnce = async (tenant: string, identityId: string, before: IdentityVersion): Promise<SodReading | null> => {
    const { index, policySetVersion, compilation } =
      rulebooks.current(tenant, before.policySetVersion) ?? (await rulebooks.atLeast(tenant, before.policySetVersion));
    // No tenant has a slash in it.
    const key = `${tenant}/${identityId}`;
    const known = expandedByIdentity.get(key);
    const isCurrent = before.policySetVersion === policySetVersion;
    if (isCurrent && before.revision === null) {
      expandedByIdentity.delete(key);
      return { index, held: null, policySetVersion };
    }
    if (isCurrent && known?.revision === before.revision && known.compilation === compilation) {
      return { index, held: known.held, policySetVersion };
    }
    const after = await sod.readAssignments(tenant, identityId);
    // The same revision before and after the rulebook was current: so it was while the rulebook was.
    if (after === null || after.revision !== before.revision || after.policySetVersion < policySetVersion) return null;
    const held = expandAccess(index, after.access).entitlements;
    expandedByIdentity.set(key, { compilation, revision: after.revision, held });
    return { index, held, policySetVersion };
  };

  return {
    read: async (tenant, identityId) => {
      for (;;) {
        const reading = await readOnce(tenant, identityId, await sod.readVersion(tenant, identityId));
        if (reading !== null) return reading;
        // A commit came in between. Versions are read anew in the next turn of the event loop only.
        await setImmediate();
      }
    },
  };
}

interface Rulebooks {
  /** The same without a wait, where it is compiled already; null where not. */
  current(tenant: string, policySetVersion: number): Compiled | null;
  /** The compiled rulebook of this policy-set version or a later one. */
  atLeast(tenant: string, policySetVersion: number): Promise<Compiled>;
}

function createRulebooks(sod: SodStore): Rulebooks {
  interface Entry {
    compiled: Compiled | null;
    loading: Promise<void> | null;
  }
  const entries = createLruMap<string, Entry>(TENANTS_MAX);
  let compilations = 0;

  const load = async (tenant: string, entry: Entry) => {
    try {
      const { policySetVersion, policies, catalogue } = await sod.loadRulebook(tenant);
      compilations += 1;
      entry.compiled = { policySetVersion, compilation: compilations, index: compileSodIndex(policies, catalogue) };
    } finally {
      entry.loading = null;
    }
  };

  return {
    current: (tenant, policySetVersion) => {
      const compiled = entries.get(tenant)?.compiled ?? null;
      return compiled !== null && compiled.policySetVersion >= policySetVersion ? compiled : null;
    },
    atLeast: async (tenant, policySetVersion) => {
      const entry = entries.get(tenant) ?? { compiled: null, loading: null };
      if (entry.compiled === null) entries.set(tenant, entry);
      while (entry.compiled === null || entry.compiled.policySetVersion < policySetVersion) {
        // One at a time: a load that began too early is waited for and another follows, so that versions only rise.
        entry.loading ??= load(tenant, entry);
        await entry.loading;
      }
      return entry.compiled;
    },
  };
}
