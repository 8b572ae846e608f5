import { lintPolicies, ok, type PolicyFinding } from '@access-admin/domain';
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
    ok({ text: pace(toJson(lintPolicies(await loadRulebook(caller.tenant)))) });

function* toJson(portions: Iterable<readonly PolicyFinding[]>): Generator<string> {
  let separator = '[';
  for (const findings of portions) {
    let text = '';
    for (const finding of findings) {
      text += separator + JSON.stringify(finding);
      separator = ',';
    }
    yield text;
  }
  yield separator === '[' ? '[]' : ']';
}
