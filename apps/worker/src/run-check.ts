import { concludeCheckInTime, type SodCheckConclusion } from '@access-admin/domain';
import { type ClaimedCheck, readExplained, type SodReader, type SodReading, type SodStore } from '@access-admin/store';

export interface RunCheckDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Gathers what a check is about and concludes it, all as of one moment. */
export async function runCheck(deps: RunCheckDeps, check: ClaimedCheck): Promise<SodCheckConclusion> {
  const { conclusion, reading, nowMs } = check.includes.includes('via')
    ? await concludeExplained(deps, check)
    : concludeOn(await deps.reader.read(check.tenant, check.identityId), check, deps.now());
  const { state, result } = conclusion;
  const asOf = new Date(nowMs).toISOString();
  return { state, result: { ...result, policySetVersion: reading.policySetVersion, asOf } };
}

const concludeOn = (reading: SodReading, check: ClaimedCheck, nowMs: number) => ({
  ...concludeCheckInTime({ index: reading.index, held: reading.held, timed: reading.timed, check, nowMs }),
  reading,
  nowMs,
});

async function concludeExplained({ reader, sod, now }: RunCheckDeps, check: ClaimedCheck) {
  const { outcome, explanation } = await readExplained({ reader, sod }, check, (current) => {
    const concluded = concludeOn(current, check, now());
    return { outcome: concluded, policyIds: concluded.conclusion.result.violatedPolicies.map(({ id }) => id) };
  });
  return explanation === null ? outcome : { ...outcome, conclusion: outcome.explain(explanation) };
}
