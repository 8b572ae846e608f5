import { type ImportRecord, ok, planImport } from '@access-admin/domain';
import type { AccessModelStore } from '@access-admin/store';
import { actOfRequest, type OperationHandler } from '../handle-operation.ts';
import { ndjsonOf } from './ndjson.ts';

/** import-access-model-v1 */
export const importAccessModel =
  (accessModel: AccessModelStore, clock: () => Date): OperationHandler =>
  async (request) => {
    const { caller } = request;
    const records = request.body as readonly ImportRecord[];
    const act = actOfRequest(request, clock());
    const imported = await accessModel.import({ act, records }, (base) =>
      planImport({ records, base, caller, now: act.time }),
    );
    if (!imported.ok) return imported;
    const { plan, policySetVersion } = imported.value;
    return ok({ json: { counts: plan.counts, policySetVersion, warnings: plan.warnings } });
  };

/** export-access-model-v1 */
export const exportAccessModel =
  (accessModel: AccessModelStore): OperationHandler =>
  async ({ caller }) =>
    ok({ text: await ndjsonOf(() => accessModel.export(caller.tenant)) });
