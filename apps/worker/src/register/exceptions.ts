import type { IdentityException, RegisterSource } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';

/** Which exceptions are read, and how many at most. */
interface ExceptionsWanted {
  readonly source: Pick<RegisterSource, 'exceptionsIn'>;
  /** Those that end after it. */
  readonly at: string;
  /** Null for those of every policy. */
  readonly policyIds: readonly string[] | null;
  readonly exceptionsMax: number;
  readonly pause: Pause;
}

export type ByIdentity = ReadonlyMap<string, readonly IdentityException[]>;

/** Reads the approved exceptions of a range of identities; null when there are more than the memory has room for. */
export async function readExceptions(
  { source, at, policyIds, exceptionsMax, pause }: ExceptionsWanted,
  range: Parameters<RegisterSource['exceptionsIn']>[0],
): Promise<readonly IdentityException[] | null> {
  const found: IdentityException[] = [];
  for await (const page of source.exceptionsIn(range, { endAfter: at, policyIds })) {
    if (found.length + page.length > exceptionsMax) return null;
    found.push(...page);
    await pause();
  }
  return found;
}

export const groupByIdentity = (exceptions: readonly IdentityException[]): ByIdentity =>
  Map.groupBy(exceptions, ({ identityId }) => identityId);
