import {
  type Catalogue,
  compileLintRulebook,
  lintPolicies,
  type PolicyFinding,
  type SodPolicy,
} from '@access-admin/domain';

/** What lint finds in policies on a catalogue, sorted by code, policy id and ref id. */
export function lint(policies: readonly SodPolicy[], catalogue: Catalogue): readonly PolicyFinding[] {
  return [...lintPolicies(compileLintRulebook(policies, catalogue))].flat();
}
