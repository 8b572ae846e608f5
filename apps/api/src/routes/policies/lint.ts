import { lintPolicies, ok, type PolicyFinding } from '@access-admin/domain';
import { begun } from '../../event-loop/begun.ts';
import type { Jobs } from '../../event-loop/jobs.ts';
import { requestClosed } from '../../http/connection.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import type { LoadLintRulebook } from './lint-rulebooks.ts';

/** lint-sod-policies-v1 */
export const lintSodPolicies =
  (loadRulebook: LoadLintRulebook, jobs: Jobs): OperationHandler<'lint-sod-policies-v1'> =>
  async ({ caller: { tenant }, c }) => {
    const left = requestClosed(c);
    const job = jobs.begin(tenant, left);
    const findings = lintPolicies(await loadRulebook(tenant));
    return ok({ text: await begun(jobs.chunks(job, toJson(findings)), left) });
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
