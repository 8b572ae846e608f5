import { createHash } from 'node:crypto';
import { canonicalJson, fail, failure, ok, receiptRequest, type SodReceipt } from '@access-admin/domain';
import type { CheckQueue } from '@access-admin/store';
import type { SignJson } from '../../auth/sign-json.ts';
import type { Jobs } from '../../event-loop/jobs.ts';
import { requestClosed } from '../../http/connection.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import { digestResult, type ResultDigest } from './result-digest.ts';
import type { CheckResults } from './results.ts';
import { NO_CHECK } from './start.ts';

export interface CheckReceiptDeps {
  readonly checks: Pick<CheckQueue, 'find' | 'findRequest'>;
  readonly results: CheckResults;
  readonly jobs: Jobs;
  readonly signJson: SignJson;
}

/** The `typ` of a receipt, so that it is not accepted as an access token. */
export const RECEIPT_TYPE = 'sod-receipt+json';

const NO_RESULT = {
  PENDING: failure('Conflict', '', 'The check has no result yet: a receipt exists once its state is SUCCESS.'),
  // A receipt without violated policies would read as a verdict.
  ERROR: failure('Conflict', '', 'The check ended in ERROR, without a verdict: it has no receipt.'),
};

/** get-violation-check-receipt-v1 */
export const getCheckReceipt =
  ({ checks, results, jobs, signJson }: CheckReceiptDeps): OperationHandler<'get-violation-check-receipt-v1'> =>
  async ({ caller: { tenant }, params: { requestId }, c }) => {
    const check = await checks.find(tenant, requestId);
    const request = check === null ? null : await checks.findRequest(tenant, requestId);
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
      return ok({ text: await signJson(RECEIPT_TYPE, canonicalJson(receipt)) });
    };
    if (check.result !== null) return sign(await digest(check.result));
    const held = results.hold(tenant, check);
    try {
      const text = await held.text;
      return text.ok ? await sign(await digest(text.value)) : text;
    } finally {
      held.release();
    }
  };
