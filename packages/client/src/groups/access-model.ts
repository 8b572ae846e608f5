import type { ExportedRecord, ImportResult } from '@access-admin/contract';
import { formatNdjson, parseNdjson } from '../http/ndjson.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import type { AccessModelInput } from './access-model-record.ts';

/** Options of an import. */
export interface ImportOptions extends CallOptions {
  /** The policy-set version that the import is made for: rejects with a `PreconditionFailedError` if the present one is another. */
  readonly ifPolicySetVersion?: number | undefined;
}

/** The catalogue, identities, policies and settings of the tenant, as one stream of records. */
export interface AccessModel {
  /**
   * Upserts and deletes records, all or none: at most 16 MiB of JSON lines. A string is sent unchanged. Never repeated after
   * an unknown outcome; importing the same records again is harmless.
   */
  import(
    records: string | Iterable<AccessModelInput> | AsyncIterable<AccessModelInput>,
    options?: ImportOptions,
  ): Promise<ImportResult>;
  /** Iterates over all records as they arrive, in an order in which they can be imported. */
  export(options?: CallOptions): AsyncIterable<ExportedRecord>;
}

/** Builds the import and the export of the access model. */
export function createAccessModel(transport: Transport): AccessModel {
  const group = '/access-model/v1';
  const type = 'application/x-ndjson';
  return {
    async import(records, options) {
      const body = { type, text: await formatNdjson(records) };
      const query = { ifPolicySetVersion: options?.ifPolicySetVersion };
      return (await transport.call<ImportResult>({ method: 'POST', path: `${group}/import`, query, body, options }))
        .value;
    },
    export: (options) =>
      parseNdjson(transport.stream({ method: 'GET', path: `${group}/export`, headers: { accept: type }, options })),
  };
}
