import { lintPolicies as lint, type PolicyFinding } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import { callerOf } from '../../http/caller.ts';
import { requestClosed } from '../../http/connection.ts';
import { streamJson } from '../../streaming/stream-json.ts';

/** Answers the findings of lint on the rulebook of the caller's tenant. */
export async function lintPolicies(c: RequestContext): Promise<Response> {
  const { jobs, loadLintRulebook } = c.env.services;
  const { tenant } = callerOf(c);
  const job = jobs.begin(tenant, requestClosed(c));
  const findings = lint(await loadLintRulebook(tenant));
  return streamJson(c, { pieces: toJson(findings), job });
}

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
