import { createHash } from 'node:crypto';
import type { CHECKS } from '@access-admin/contract';
import { canonicalJson, fail, failure, receiptRequest, type SodReceipt } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import { requestClosed } from '../../http/connection.ts';
import type { Input } from '../../operations/route.ts';
import { digestResult, type ResultDigest } from './result-digest.ts';
import { NO_CHECK } from './start.ts';

/** The `typ` of a receipt, so that it is not accepted as an access token. */
export const RECEIPT_TYPE = 'sod-receipt+json';

const NO_RESULT = {
  PENDING: failure('Conflict', '', 'The check has no result yet: a receipt exists once its state is SUCCESS.'),
  // A receipt without violated policies would read as a verdict.
  ERROR: failure('Conflict', '', 'The check ended in ERROR, without a verdict: it has no receipt.'),
};

/** Answers the signed receipt of a check that has a result. */
export async function answerReceipt(
  c: RequestContext,
  { caller: { tenant }, params: { requestId } }: Input<typeof CHECKS.receipt>,
): Promise<Answer> {
  const { store, checkResults, jobs, signJson } = c.env.services;
  const check = await store.checks.find(tenant, requestId);
  const request = check === null ? null : await store.checks.findRequest(tenant, requestId);
  if (check === null || request === null) return fail(NO_CHECK);
  if (check.state !== 'SUCCESS') return fail(NO_RESULT[check.state]);
  const job = jobs.begin(tenant, requestClosed(c));
  const digest = (text: string) => digestResult(text, () => jobs.yield(job));
  const sign = async (result: ResultDigest) => {
    const { policySetVersion, asOf } = result.basis;
    const receipt: SodReceipt = {
      tenant,
      requestId,
      identityId: request.identityId,
      requestSha256: createHash('sha256').update(receiptRequest(request)).digest('hex'),
      resultSha256: result.sha256,
      policySetVersion,
      asOf,
      violatedPolicies: result.violatedPolicies,
    };
    return c.body(await signJson(RECEIPT_TYPE, canonicalJson(receipt)), 200, { 'content-type': 'application/jose' });
  };
  if (check.result !== null) return sign(await digest(check.result));
  const held = checkResults.hold(tenant, check);
  try {
    const text = await held.text;
    return text.ok ? await sign(await digest(text.value)) : text;
  } finally {
    held.release();
  }
}
