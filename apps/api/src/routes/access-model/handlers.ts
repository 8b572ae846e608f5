import { type ImportRecord, ok, planImport } from '@access-admin/domain';
import type { AccessModelStore, Store } from '@access-admin/store';
import type { Exports } from '../../exports/answer-exports.ts';
import { ended } from '../../http/connection.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { auditContextOfRequest, type OperationHandler } from '../../operations/operation.ts';
import type { GuardOf } from '../../sign-in/guard.ts';
import { asText, ndjsonOf } from '../answers/ndjson.ts';
import type { FindImportWarnings } from './import-warnings.ts';

export interface AccessModelDeps extends Omit<ImportDeps, 'accessModel'> {
  readonly store: Pick<Store, 'accessModel'>;
  readonly exports: Exports;
}

export const accessModelHandlers = ({ store: { accessModel }, exports, ...deps }: AccessModelDeps) =>
  ({
    'import-access-model-v1': importAccessModel({ ...deps, accessModel }),
    'export-access-model-v1': exportAccessModel(accessModel, exports),
  }) satisfies Partial<OperationHandlers>;

export interface ImportDeps {
  readonly accessModel: Pick<AccessModelStore, 'import'>;
  readonly now: () => Date;
  readonly findWarnings: FindImportWarnings;
  readonly guardOf: GuardOf;
}

/** import-access-model-v1 */
const importAccessModel =
  ({ accessModel, now, findWarnings, guardOf }: ImportDeps): OperationHandler =>
  async (request) => {
    const { caller } = request;
    const records = request.body as readonly ImportRecord[];
    const auditContext = auditContextOfRequest(request, now());
    const imported = await accessModel.import({ auditContext, records, guard: guardOf(request) }, (base) =>
      planImport({ records, base, caller, now: auditContext.time }),
    );
    if (!imported.ok) return imported;
    const { plan, policySetVersion } = imported.value;
    const warnings = await findWarnings(caller.tenant, plan);
    return ok({ json: { counts: plan.counts, policySetVersion, warnings } });
  };

/** export-access-model-v1 */
const exportAccessModel =
  (accessModel: AccessModelStore, exports: Exports): OperationHandler =>
  async ({ caller: { tenant }, c }) => {
    const reader = { tenant, left: ended(c) };
    return asText(await exports.fromSnapshot(reader, () => ndjsonOf(accessModel.export(tenant))));
  };
