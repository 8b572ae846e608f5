import { catalogueBytes, ENTRY_BYTES, rowBytes } from '../rulebook/memory-size.ts';
import type { LintRulebook } from './rulebook.ts';

// A policy without its items and texts, and the headers of these objects.
const LINTED_BYTES = 120;

/** The memory that a rulebook for lint takes at most, in bytes, about. */
export function lintRulebookBytes({
  catalogue,
  roleProfiles,
  policies,
  sideStarts,
  sides,
  unresolved,
}: LintRulebook): number {
  let texts = 0;
  for (const { id, name } of policies) texts += id.length + name.length;
  for (const id of unresolved) texts += id.length;
  const arrays = rowBytes(roleProfiles) + sideStarts.byteLength + rowBytes(sides);
  return (
    catalogueBytes(catalogue) + arrays + policies.length * LINTED_BYTES + unresolved.length * ENTRY_BYTES + texts * 2
  );
}
