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
    const lines = ReadableStream.from(toLines(accessModel.export(caller.tenant)));
    return ok({
      response: new Response(lines, {
        headers: {
          'content-type': 'application/x-ndjson',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        },
      }),
    });
  };

const CHUNK_LENGTH = 65_536;

async function* toLines(records: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let chunk = '';
  for await (const record of records) {
    chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length >= CHUNK_LENGTH) {
      yield encoder.encode(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') yield encoder.encode(chunk);
}
