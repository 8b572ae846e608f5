import { concludeCheck, explainConclusion, type SodCheckConclusion } from '@access-admin/domain';
import { type ClaimedCheck, readExplained, type SodReader, type SodReading, type SodStore } from '@access-admin/store';

export interface RunCheckDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Gathers what a check is about and concludes it, all as of one moment. */
export async function runCheck(deps: RunCheckDeps, check: ClaimedCheck): Promise<SodCheckConclusion> {
  const { conclusion, reading } = check.includes.includes('via')
    ? await concludeExplained(deps, check)
    : concludeOn(await deps.reader.read(check.tenant, check.identityId), check);
  const { state, result } = conclusion;
  const asOf = new Date(deps.now()).toISOString();
  return { state, result: { ...result, policySetVersion: reading.policySetVersion, asOf } };
}

const concludeOn = (reading: SodReading, check: ClaimedCheck) => ({
  conclusion: concludeCheck({ index: reading.index, held: reading.held, check }),
  reading,
});

async function concludeExplained({ reader, sod }: RunCheckDeps, check: ClaimedCheck) {
  const { reading, outcome, explanation } = await readExplained({ reader, sod }, check, (current) => {
    const { conclusion } = concludeOn(current, check);
    return { outcome: conclusion, policyIds: conclusion.result.violatedPolicies.map(({ id }) => id) };
  });
  return { conclusion: explanation === null ? outcome : explainConclusion(outcome, explanation), reading };
}
