import { lintPolicies, ok, type PolicyFinding, type Steps, type TextSink, type TextSteps } from '@access-admin/domain';
import { begun } from '../../event-loop/begun.ts';
import type { Pace } from '../../event-loop/pace.ts';
import { ended } from '../../http/connection.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import type { LoadLintRulebook } from './lint-rulebooks.ts';

/** lint-sod-policies-v1 */
export const lintSodPolicies =
  (loadRulebook: LoadLintRulebook, pace: Pace): OperationHandler<'lint-sod-policies-v1'> =>
  async ({ caller: { tenant }, c }) => {
    const left = ended(c);
    const job = pace.begin(tenant, left);
    const findings = lintPolicies(await loadRulebook(tenant));
    return ok({ text: await begun(pace.list(job, toJson(findings)), left) });
  };

function toJson(portions: Iterable<readonly PolicyFinding[]>): TextSteps {
  const sink = { text: '' };
  return { sink, steps: writeFindings(sink, portions) };
}

function* writeFindings(sink: TextSink, portions: Iterable<readonly PolicyFinding[]>): Steps<void> {
  let separator = '[';
  for (const findings of portions) {
    for (const finding of findings) {
      sink.text += separator + JSON.stringify(finding);
      separator = ',';
    }
    yield;
  }
  sink.text += separator === '[' ? '[]' : ']';
}
