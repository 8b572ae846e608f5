import { ok, planImportInPieces } from '@access-admin/domain';
import type { AccessModelStore } from '@access-admin/store';
import { runInPieces } from '../../event-loop/in-pieces.ts';
import type { Jobs } from '../../event-loop/jobs.ts';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import type { AnswerExport } from '../../streaming/answer-export.ts';
import { linesOf } from '../../streaming/records.ts';
import { checkPolicySetVersion } from '../answers/etag.ts';
import type { FindImportWarnings } from './import-warnings.ts';

export interface AccessModelParts {
  readonly accessModel: AccessModelStore;
  readonly answerExport: AnswerExport;
  readonly findWarnings: FindImportWarnings;
  readonly jobs: Jobs;
  readonly now: () => Date;
  readonly guardOf: GuardOf;
}

export const accessModelHandlers = ({
  accessModel,
  answerExport,
  findWarnings,
  jobs,
  now,
  guardOf,
}: AccessModelParts) =>
  ({
    'import-access-model-v1': async (request) => {
      const { caller, query, body: records } = request;
      const auditContext = auditContextOfRequest(request, now());
      const pause = jobs.pauseOf(jobs.begin(caller.tenant, null));
      const imported = await accessModel.import(
        {
          auditContext,
          records,
          guard: guardOf(request),
          precondition: (version) => checkPolicySetVersion(query.ifPolicySetVersion, version),
        },
        (base) => runInPieces(planImportInPieces({ records, base, caller, now: auditContext.time }), pause),
      );
      if (!imported.ok) return imported;
      const { plan, policySetVersion } = imported.value;
      const warnings = await findWarnings(caller.tenant, plan);
      return ok({ json: { counts: plan.counts, policySetVersion, warnings } });
    },

    'export-access-model-v1': (request) =>
      answerExport(request, () => ({ pieces: linesOf(accessModel.export(request.caller.tenant)) })),
  }) satisfies Partial<OperationHandlers>;
