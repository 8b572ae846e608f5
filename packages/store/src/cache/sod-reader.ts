import { setImmediate } from 'node:timers/promises';
import { expandAssignments, type HeldAccess, type SodIndex } from '@access-admin/domain';
import type { Remembered } from '../engine/database.ts';
import type { SodStore } from '../rulebook/sod-store.ts';
import type { IdentityVersion } from '../rulebook/versions.ts';
import { areTimed, packHeld, unpackTimed } from './held-words.ts';
import type { KeptRulebook } from './memory.ts';
import { createRulebooks } from './rulebooks.ts';

/** What a prediction for one identity is made from, all as of one moment. */
export interface SodReading extends IdentityVersion {
  readonly index: SodIndex;
  /**
   * The entitlements that the identity has, as numbers of the index, but for those that it has for a time only; null when
   * there is no such identity.
   */
  readonly held: Uint32Array | null;
  /** What it has for a time only, open, past or to come; null where there is none, as with nearly everyone. */
  readonly timed: HeldAccess['timed'];
}

export interface SodReader {
  /** As fresh as `readVersion` of the store. */
  read(tenant: string, identityId: string): Remembered<SodReading>;
}

/** What a reader may keep, in bytes, unless it is told otherwise, and what it should at least. */
export const CACHE_BYTES_DEFAULT = 512 * 2 ** 20;
export const CACHE_BYTES_MIN = 2 ** 20;

/** Keeps compiled rulebooks and expanded access in memory, as long as the store says that they are current, within `cacheBytes`. */
export function createSodReader(sod: SodStore, options: { readonly cacheBytes?: number } = {}): SodReader {
  const rulebooks = createRulebooks(sod, options.cacheBytes ?? CACHE_BYTES_DEFAULT);

  const readNow = async (tenant: string, identityId: string, before: IdentityVersion): Promise<SodReading | null> => {
    const rulebook = await rulebooks.atLeast(tenant, before);
    const known = recall(rulebook, identityId, before);
    if (known !== null) return known;
    const { index, policySetVersion, changeId, heldSets } = rulebook;
    const after = await sod.readAssignments(tenant, identityId);
    // The same revision before and after the rulebook was current: so it was while the rulebook was.
    if (after === null || after.revision !== before.revision || after.policySetVersion < policySetVersion) return null;
    const { held, timed } = expandAssignments(index, after.access);
    heldSets.set(identityId, after.revision, packHeld({ held, timed }));
    const { exceptions } = before;
    return { index, held, timed, policySetVersion, changeId, revision: after.revision, exceptions };
  };

  const readUntilCurrent = async (tenant: string, identityId: string, first: Remembered<IdentityVersion>) => {
    let before = await first;
    for (;;) {
      const reading = await readNow(tenant, identityId, before);
      if (reading !== null) return reading;
      // A commit came in between. Versions are read anew in the next turn of the event loop only.
      await setImmediate();
      const known = rulebooks.latest(tenant)?.policySetVersion ?? 0;
      before = await sod.readVersion(tenant, identityId);
      // Versions only rise: the database was put back to an earlier one.
      if (before.policySetVersion < known) rulebooks.forget(tenant);
    }
  };

  return {
    read: (tenant, identityId) => {
      const before = sod.readVersion(tenant, identityId);
      const rulebook = before instanceof Promise ? null : rulebooks.latest(tenant);
      const known = before instanceof Promise || rulebook === null ? null : recall(rulebook, identityId, before);
      return known ?? readUntilCurrent(tenant, identityId, before);
    },
  };
}

/** Null where the rulebook is of another version, or what the identity holds is not known. */
function recall(
  { index, policySetVersion, changeId, heldSets }: KeptRulebook,
  identityId: string,
  version: IdentityVersion,
): SodReading | null {
  if (version.policySetVersion !== policySetVersion || version.changeId !== changeId) return null;
  const { revision, exceptions } = version;
  if (revision === null) {
    heldSets.delete(identityId);
    return { index, held: null, timed: null, policySetVersion, changeId, revision, exceptions };
  }
  const words = heldSets.get(identityId, revision);
  if (words === null) return null;
  if (!areTimed(words)) return { index, held: words, timed: null, policySetVersion, changeId, revision, exceptions };
  const { held, timed } = unpackTimed(words);
  return { index, held, timed, policySetVersion, changeId, revision, exceptions };
}
