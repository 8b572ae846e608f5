import { catalogueBytes, ENTRY_BYTES, rowBytes } from '../rulebook/memory-size.ts';
import type { LintRulebook } from './rulebook.ts';

// A policy but for its items and its texts, and the headers of these.
const LINTED_BYTES = 120;

/** About how many bytes of memory a rulebook for lint holds at most. */
export function lintRulebookBytes({
  catalogue,
  roleProfiles,
  policies,
  sideStarts,
  sides,
  lost,
}: LintRulebook): number {
  let texts = 0;
  for (const { id, name } of policies) texts += id.length + name.length;
  for (const id of lost) texts += id.length;
  const arrays = rowBytes(roleProfiles) + sideStarts.byteLength + rowBytes(sides);
  return catalogueBytes(catalogue) + arrays + policies.length * LINTED_BYTES + lost.length * ENTRY_BYTES + texts * 2;
}
