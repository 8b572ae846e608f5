import {
  type AccessHolder,
  accessHoldersOf,
  type GrantingAccess,
  type NamedRef,
  type TimedAccessRef,
} from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Position } from '../../query/order.ts';

/** An identity that may hold something. */
export interface HoldingIdentity {
  readonly identity: NamedRef<'IDENTITY'>;
  readonly access: () => readonly TimedAccessRef[];
}

/**
 * Assignments collected for a page. Its position is an identity's id, and how many of that identity's assignments earlier pages
 * and this one have; 0 for all of them.
 */
export interface HolderPage {
  readonly holders: readonly AccessHolder[];
  /** Whether there was an assignment that the page has no room for. */
  isFull(): boolean;
  position(): Position;
  /** Whether an identity is not done with. */
  isAhead(id: string): boolean;
  /** The same as a condition on the column `id`. */
  rest(): RawBuilder<boolean>;
  /** Adds the next identity by id. */
  add(identity: HoldingIdentity): void;
}

export function createHolderPage(
  grantingAccess: GrantingAccess,
  { limit, after }: { readonly limit: number; readonly after: Position | null },
): HolderPage {
  const holders: AccessHolder[] = [];
  let id = String(after?.[0] ?? '');
  let taken = Number(after?.[1] ?? 0);
  let isFull = false;
  return {
    holders,
    isFull: () => isFull,
    position: () => [id, taken],
    isAhead: (other) => (taken > 0 ? other >= id : other > id),
    rest: () => (taken > 0 ? sql`id >= ${id}` : sql`id > ${id}`),
    add: ({ identity, access }) => {
      const skipped = identity.id === id ? taken : 0;
      const more = accessHoldersOf(identity, access(), grantingAccess).slice(skipped);
      const room = limit - holders.length;
      isFull = more.length > room;
      holders.push(...more.slice(0, room));
      // A page without room for the first one ends before this identity.
      if (isFull && room === 0 && skipped === 0) return;
      [id, taken] = [identity.id, isFull ? skipped + room : 0];
    },
  };
}
