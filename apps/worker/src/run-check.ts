import { concludeCheck, type SodCheckConclusion } from '@access-admin/domain';
import type { ClaimedCheck, SodReader } from '@access-admin/store';

/** Gathers what a check is about and concludes it, all as of one moment. */
export async function runCheck(reader: SodReader, check: ClaimedCheck): Promise<SodCheckConclusion> {
  const { index, held } = await reader.read(check.tenant, check.identityId);
  return concludeCheck({ index, held, check });
}
