import { type ImportRecord, ok, planImport } from '@access-admin/domain';
import type { AccessModelStore } from '@access-admin/store';
import type { OperationHandler } from '../handle-operation.ts';

/** import-access-model-v1 */
export const importAccessModel =
  (accessModel: AccessModelStore, clock: () => Date): OperationHandler =>
  async ({ caller, body }) => {
    const records = body as readonly ImportRecord[];
    const now = clock().toISOString();
    const imported = await accessModel.import({ tenant: caller.tenant, records, now }, (base) =>
      planImport({ records, base, caller, now }),
    );
    if (!imported.ok) return imported;
    const { plan, policySetVersion } = imported.value;
    return ok({ json: { counts: plan.counts, policySetVersion, warnings: plan.warnings } });
  };

/** export-access-model-v1: streamed, so that its size does not show in memory. */
export const exportAccessModel =
  (accessModel: AccessModelStore): OperationHandler =>
  async ({ caller }) => {
    // Once the answer has begun, storage that is away can only cut it.
    for await (const _ of accessModel.export(caller.tenant)) break;
    return ok({ text: toLines(accessModel.export(caller.tenant)) });
  };

const CHUNK_LENGTH = 65_536;

async function* toLines(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  let chunk = '';
  for await (const record of records) {
    chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}
