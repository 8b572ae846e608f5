import { setImmediate } from 'node:timers/promises';
import {
  concludeCheck,
  type Explanation,
  explainConclusion,
  type Remediation,
  remediateInSteps,
  type SodCheckConclusion,
  type SodIndex,
} from '@access-admin/domain';
import { type ClaimedCheck, readExplained, type SodReader, type SodReading, type SodStore } from '@access-admin/store';

export interface RunCheckDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Gathers what a check is about and concludes it, all as of one moment. */
export async function runCheck(deps: RunCheckDeps, check: ClaimedCheck): Promise<SodCheckConclusion> {
  const { conclusion, reading } =
    check.includes.length > 0
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
  const withReasons = explanation !== null && check.includes.includes('via');
  const conclusion = withReasons ? explainConclusion(outcome, explanation) : outcome;
  if (conclusion.state === 'ERROR' || !check.includes.includes('remediation')) return { conclusion, reading };
  const remediation = await remediate(reading.index, explanation);
  return { conclusion: { ...conclusion, result: { ...conclusion.result, remediation } }, reading };
}

async function remediate(index: SodIndex, explanation: Explanation | null): Promise<Remediation> {
  // Where nothing is violated there is nothing to explain.
  const steps = remediateInSteps(index, explanation === null ? [] : [explanation]);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
