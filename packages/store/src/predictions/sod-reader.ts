import { setImmediate } from 'node:timers/promises';
import {
  type BoundException,
  expandAssignments,
  type HeldAccess,
  type Holder,
  type SodIndex,
  standingExceptions,
} from '@access-admin/domain';
import type { MaybePromise } from '../engine/concurrency/maybe-promise.ts';
import type { IdentityVersionRead } from '../policies/rulebook/identity-versions.ts';
import type { SodStore } from '../policies/rulebook/sod-store.ts';
import type { IdentityVersion, RulebookVersion } from '../policies/rulebook/versions.ts';
import { createHeldAccessCache, type HeldAccessCache } from './held-access.ts';
import { createRulebookLoader } from './rulebook-loader.ts';
import type { KeptRulebook } from './rulebook-memory.ts';

/** The data of a prediction for one identity, all as of one instant. */
export interface SodReading extends IdentityVersion {
  readonly index: SodIndex;
  /** The entitlements held without a time limit, as numbers of the index; null when there is no such identity. */
  readonly held: Uint32Array | null;
  /** The entitlements held within windows of time, past, present and future; null for none, which is the usual case. */
  readonly timed: HeldAccess['timed'];
  /** The approved exceptions that are not void, past, present and future, by id; null for none. */
  readonly exceptions: readonly BoundException[] | null;
}

export interface SodReader {
  /** As fresh as `readVersion` of the source. */
  read(tenant: string, identityId: string): MaybePromise<SodReading>;
}

/** Memory of a reader in bytes: the default, and the least that is useful. */
export const CACHE_BYTES_DEFAULT = 512 * 2 ** 20;
export const CACHE_BYTES_MIN = 2 ** 20;

/**
 * Keeps compiled rulebooks and expanded access in memory, each within half of `cacheBytes`, and uses them while the source
 * says that they are current.
 */
export function createSodReader(source: SodStore, options: { readonly cacheBytes?: number } = {}): SodReader {
  const bytesMax = (options.cacheBytes ?? CACHE_BYTES_DEFAULT) / 2;
  const rulebooks = createRulebookLoader(source, bytesMax);
  const heldAccess = createHeldAccessCache(bytesMax);

  /** Null where the identity may have changed meanwhile. */
  const readOnce = async (
    tenant: string,
    identityId: string,
    before: IdentityVersionRead,
  ): Promise<SodReading | null> => {
    const rulebook = await rulebooks.atLeast(tenant, before);
    const known = recall({ rulebook, heldAccess }, identityId, before);
    if (known !== null) return known;
    const { index, policySetVersion, changeId, catalogueId } = rulebook;
    const { revision, exceptions } = before;
    const assigned = await source.readAssignments(tenant, identityId);
    // With the same revision before and after the rulebook was read, access and rulebook are of one instant.
    if (assigned === null || assigned.revision !== revision || assigned.policySetVersion < policySetVersion)
      return null;
    const { held, timed } = expandAssignments(index, assigned.access);
    heldAccess.set({ catalogueId, identityId, revision }, { held, timed });
    const standing = standingOf(exceptions, index, { held, timed });
    return { index, held, timed, policySetVersion, changeId, revision, exceptions: standing };
  };

  const readUntilCurrent = async (tenant: string, identityId: string, first: MaybePromise<IdentityVersionRead>) => {
    let before = await first;
    for (;;) {
      const reading = await readOnce(tenant, identityId, before);
      if (reading !== null) return reading;
      // A commit came in between. The source reads versions again in the next turn of the event loop at the earliest.
      await setImmediate();
      const known = rulebooks.latest(tenant)?.policySetVersion ?? 0;
      before = await source.readVersion(tenant, identityId);
      // Versions only rise, so an earlier one means that the database was restored.
      if (before.policySetVersion < known) rulebooks.forget(tenant);
    }
  };

  return {
    read: (tenant, identityId) => {
      const before = source.readVersion(tenant, identityId);
      const rulebook = before instanceof Promise ? null : rulebooks.latest(tenant);
      const known =
        before instanceof Promise || rulebook === null ? null : recall({ rulebook, heldAccess }, identityId, before);
      return known ?? readUntilCurrent(tenant, identityId, before);
    },
  };
}

const isOfRulebook = (version: RulebookVersion, rulebook: RulebookVersion): boolean =>
  version.policySetVersion === rulebook.policySetVersion && version.changeId === rulebook.changeId;

interface Memory {
  readonly rulebook: KeptRulebook;
  readonly heldAccess: HeldAccessCache;
}

/** The reading from memory alone; null when the rulebook has another version or the held access is not in memory. */
function recall({ rulebook, heldAccess }: Memory, identityId: string, version: IdentityVersionRead): SodReading | null {
  const { index, policySetVersion, changeId, catalogueId } = rulebook;
  if (!isOfRulebook(version, rulebook)) return null;
  const { revision, exceptions } = version;
  if (revision === null) {
    heldAccess.delete({ catalogueId, identityId });
    return { index, held: null, timed: null, policySetVersion, changeId, revision, exceptions };
  }
  const known = heldAccess.get({ catalogueId, identityId, revision }, index.catalogue);
  if (known === null) return null;
  const { held, timed } = known;
  const standing = standingOf(exceptions, index, known);
  return { index, held, timed, policySetVersion, changeId, revision, exceptions: standing };
}

function standingOf(
  exceptions: IdentityVersionRead['exceptions'],
  index: SodIndex,
  holder: Holder,
): SodReading['exceptions'] {
  if (exceptions === null) return null;
  const standing = standingExceptions(exceptions, index, holder);
  return standing.length === 0 ? null : standing;
}
