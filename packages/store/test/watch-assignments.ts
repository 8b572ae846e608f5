import type { SodStore } from '../src/index.ts';
import type { ReadIdentityVersion } from '../src/rulebook/versions.ts';

/** Tells of each use of assignments, whether they come along with a version or are read apart. */
export function watchAssignments(sod: SodStore, onUse: () => void): SodStore {
  const watched = (version: ReadIdentityVersion): ReadIdentityVersion => {
    const { assignments } = version;
    if (assignments === null) return version;
    const use = () => {
      onUse();
      return assignments();
    };
    return { ...version, assignments: use };
  };
  return {
    ...sod,
    readVersion: (...request) => {
      const version = sod.readVersion(...request);
      return version instanceof Promise ? version.then(watched) : watched(version);
    },
    readAssignments: (...request) => {
      onUse();
      return sod.readAssignments(...request);
    },
  };
}
