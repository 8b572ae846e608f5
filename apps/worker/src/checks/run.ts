import { setImmediate } from 'node:timers/promises';
import {
  type AccessState,
  accessStatesOf,
  concludeCheck,
  coverageOf,
  coverConclusion,
  createWorkBudget,
  type Remediation,
  remediate,
  type SodCheckConclusion,
  type SodIndex,
} from '@access-admin/domain';
import { readExplained, type SodReader, type SodReading } from '@access-admin/rulebook-cache';
import { type ClaimedCheck, type SodStore, StorageUnavailable } from '@access-admin/store';

export interface RunCheckDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Reads the data of a check and concludes it, all as of one instant. */
export async function runCheck(deps: RunCheckDeps, check: ClaimedCheck): Promise<SodCheckConclusion> {
  const { conclusion, reading, nowMs } =
    check.includes.length > 0
      ? await concludeExplained(deps, check)
      : concludeReading(await deps.reader.read(check.tenant, check.identityId), check, deps.now());
  const asOf = new Date(nowMs).toISOString();
  const { state, result } = coverConclusion(
    conclusion,
    coverageOf(reading.exceptions, { index: reading.index, holder: reading, request: { ...check, nowMs } }),
  );
  return { state, result: { ...result, policySetVersion: reading.policySetVersion, asOf } };
}

const concludeReading = (reading: SodReading, check: ClaimedCheck, nowMs: number) => ({
  ...concludeCheck({ index: reading.index, held: reading.held, timed: reading.timed, check, nowMs }),
  reading,
  nowMs,
});

async function concludeExplained({ reader, sod, now }: RunCheckDeps, check: ClaimedCheck) {
  const found = await readExplained({ reader, sod }, check, (current) => {
    const concluded = concludeReading(current, check, now());
    return { outcome: concluded, policyIds: concluded.conclusion.result.violatedPolicies.map(({ id }) => id) };
  });
  if (found === null) throw new StorageUnavailable('What explains a check changed whenever it was read.');
  const { outcome, explanation } = found;
  const explained =
    explanation !== null && check.includes.includes('via')
      ? { ...outcome, conclusion: outcome.explain(explanation) }
      : outcome;
  const { conclusion, reading, nowMs } = explained;
  if (conclusion.state === 'ERROR' || !check.includes.includes('remediation')) return explained;
  // Without a violation there is no explanation.
  const accessStates = explanation === null ? [] : accessStatesOf(explanation, { at: check.at, nowMs });
  const remediation = await remediateInTurns(reading.index, accessStates);
  return { ...explained, conclusion: { ...conclusion, result: { ...conclusion.result, remediation } } };
}

// The work of a fraction of a millisecond.
const STEP_WORK = 1_024;

async function remediateInTurns(index: SodIndex, accessStates: Iterable<AccessState>): Promise<Remediation> {
  const steps = remediate(index, accessStates, createWorkBudget(STEP_WORK));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
  }
}
