import type { Grant } from '../../access/model/grants.ts';
import type { Entitlement } from '../../access/model/records.ts';

/** What entitlements let their holders do, by the numbers of a catalogue. */
export interface SodGrants {
  /** The grants of each entitlement that has some. */
  readonly ofEntitlement: ReadonlyMap<number, readonly Grant[]>;
  /** The actions that grants name, by type of resource. */
  readonly actions: ReadonlyMap<string, ReadonlySet<string>>;
  /** The entitlements that grant an action, ascending, by type and id of the resource and by action. */
  readonly entitlements: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>>;
}

/** Collects the grants of entitlements, which are given in the order of their numbers. */
export interface GrantCollector {
  add(number: number, entitlement: Entitlement): void;
  readonly grants: SodGrants;
}

/** Creates a collector without grants. */
export function createGrantCollector(): GrantCollector {
  const ofEntitlement = new Map<number, readonly Grant[]>();
  const actions = new Map<string, Set<string>>();
  const entitlements = new Map<string, Map<string, Map<string, number[]>>>();
  return {
    add: (number, { grants = [] }) => {
      if (grants.length > 0) ofEntitlement.set(number, grants);
      for (const { resourceType, resourceId, action } of grants) {
        ensure(actions, resourceType, newSet).add(action);
        const ofResource = ensure(ensure(entitlements, resourceType, newResources), resourceId, newActions);
        ensure(ofResource, action, newList).push(number);
      }
    },
    grants: { ofEntitlement, actions, entitlements },
  };
}

const newSet = () => new Set<string>();
const newResources = () => new Map<string, Map<string, number[]>>();
const newActions = () => new Map<string, number[]>();
const newList = (): number[] => [];

/** The value of a key; makes and adds it where there is none. */
function ensure<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
