import type { IdentityException, RegisterSource } from '@access-admin/store';
import type { PopulationComparison } from './compare-population.ts';

export type ByIdentity = ReadonlyMap<string, readonly IdentityException[]>;

/** Reads the approved exceptions of a range of identities, in steps; null when there are more than the memory has room for. */
export async function* readExceptions(
  { source, at, policyIds, exceptionsMax }: PopulationComparison,
  range: Parameters<RegisterSource['exceptionsIn']>[0],
): AsyncGenerator<void, readonly IdentityException[] | null> {
  const found: IdentityException[] = [];
  for await (const page of source.exceptionsIn(range, { endAfter: at, policyIds })) {
    if (found.length + page.length > exceptionsMax) return null;
    found.push(...page);
    yield;
  }
  return found;
}

export const groupByIdentity = (exceptions: readonly IdentityException[]): ByIdentity =>
  Map.groupBy(exceptions, ({ identityId }) => identityId);
