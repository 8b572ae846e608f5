import { lintPolicies, ok, type PolicyFinding } from '@access-admin/domain';
import type { Jobs } from '../../event-loop/jobs.ts';
import { requestClosed } from '../../http/connection.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import type { LoadLintRulebook } from './lint-rulebooks.ts';

/** lint-sod-policies-v1 */
export const lintSodPolicies =
  (loadRulebook: LoadLintRulebook, jobs: Jobs): OperationHandler<'lint-sod-policies-v1'> =>
  async ({ caller: { tenant }, c }) => {
    const job = jobs.begin(tenant, requestClosed(c));
    const findings = lintPolicies(await loadRulebook(tenant));
    return ok({ text: { pieces: toJson(findings), job } });
  };

/** One piece of JSON for each piece of the findings, which is empty for most. */
function* toJson(pieces: Iterable<readonly PolicyFinding[]>): Generator<string, void> {
  let separator = '[';
  for (const findings of pieces) {
    let text = '';
    for (const finding of findings) {
      text += separator + JSON.stringify(finding);
      separator = ',';
    }
    yield text;
  }
  yield separator === '[' ? '[]' : ']';
}
