import { catalogueBytes, ENTRY_BYTES, rowBytes } from '../rulebook/memory-size.ts';
import type { LintRulebook } from './rulebook.ts';

// A policy without its sides and texts, a side, and an item.
const LINTED_BYTES = 120;
const SIDE_BYTES = 40;
const ITEM_BYTES = 8;

/** The memory that a rulebook for lint takes at most, in bytes, about. */
export function lintRulebookBytes({ catalogue, roleProfiles, policies, unresolved }: LintRulebook): number {
  let bytes = catalogueBytes(catalogue) + rowBytes(roleProfiles) + unresolved.length * ENTRY_BYTES;
  for (const { id, name, sides } of policies) {
    bytes += LINTED_BYTES + (id.length + name.length) * 2;
    for (const items of sides) bytes += SIDE_BYTES + items.length * ITEM_BYTES;
  }
  return bytes;
}
