import { concludeCheck, type SodCheckConclusion } from '@access-admin/domain';
import type { ClaimedCheck, SodReader } from '@access-admin/store';

/** Gathers what a check is about and concludes it, all as of one moment. `nowMs` is in milliseconds since 1970. */
export async function runCheck(
  reader: SodReader,
  check: ClaimedCheck,
  nowMs: () => number,
): Promise<SodCheckConclusion> {
  const { index, held, policySetVersion } = await reader.read(check.tenant, check.identityId);
  const asOf = new Date(nowMs()).toISOString();
  const { state, result } = concludeCheck({ index, held, check });
  return { state, result: { ...result, policySetVersion, asOf } };
}
