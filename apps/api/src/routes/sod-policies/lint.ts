import { lintPolicies, ok, type PolicyFinding, type Steps, type TextSink, type TextSteps } from '@access-admin/domain';
import type { Pace } from '../../event-loop/pace.ts';
import type { OperationHandler } from '../../operations/request.ts';
import type { LoadLintRulebook } from './lint-rulebooks.ts';

export interface LintDeps {
  readonly loadRulebook: LoadLintRulebook;
  readonly pace: Pace;
}

/** lint-sod-policies-v1 */
export const lintSodPolicies =
  ({ loadRulebook, pace }: LintDeps): OperationHandler =>
  async ({ caller }) =>
    ok({ text: pace.text(toJson(lintPolicies(await loadRulebook(caller.tenant)))) });

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
