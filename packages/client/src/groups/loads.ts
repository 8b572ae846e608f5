import type { Load as SourceLoad } from '@access-admin/contract';
import { jsonBody } from '../http/json-body.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../http/list.ts';
import { formatNdjson } from '../http/ndjson.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';
import type { LoadRecordInput } from './access-model-record.ts';

/** A load to open. */
export interface NewSourceLoad {
  /** All accounts of the source, or those that are new or have changed. */
  readonly mode: 'FULL' | 'DELTA';
  /** Whether it only tells what it would do; false if left out. */
  readonly dryRun?: boolean;
}

/** Options of a commit. */
export interface LoadCommitOptions extends CallOptions {
  /** The `deletes` of a load that was refused for what it deletes. */
  readonly confirmDeletes?: number | undefined;
}

/** The loads of sources. */
export interface SourceLoads {
  /** Opens a load (create-source-load-v1). Never repeated after an unknown outcome. */
  create(source: string, load: NewSourceLoad, options?: CallOptions): Promise<SourceLoad>;
  /**
   * Sends a part, from 1 to 1000: at most 16 MiB of JSON lines (put-source-load-part-v1). A string is sent unchanged. The same part
   * again replaces it.
   */
  putPart(
    source: string,
    loadId: string,
    part: number,
    records: string | Iterable<LoadRecordInput> | AsyncIterable<LoadRecordInput>,
    options?: CallOptions,
  ): Promise<void>;
  /** Has the load applied (commit-source-load-v1). Never repeated after an unknown outcome: its state shows it. */
  commit(source: string, loadId: string, options?: LoadCommitOptions): Promise<SourceLoad>;
  /** Iterates over the loads of a source, the latest first (list-source-loads-v1). */
  list(source: string, options?: CallOptions): AsyncIterable<SourceLoad>;
  /** Reads one page of the list. */
  page(source: string, options?: CallOptions & PageOptions): Promise<Page<SourceLoad>>;
  /** Reads a load (get-source-load-v1). */
  get(source: string, loadId: string, options?: CallOptions): Promise<SourceLoad>;
  /** Removes an open load (cancel-source-load-v1). */
  cancel(source: string, loadId: string, options?: CallOptions): Promise<void>;
}

/** Builds the operations on loads. */
export function createSourceLoads(transport: Transport): SourceLoads {
  const groupOf = (source: string) => `${resourcePath('/sources/v1', source)}/loads`;
  const pathOf = (source: string, loadId: string) => resourcePath(groupOf(source), loadId);
  const page: SourceLoads['page'] = (source, options) =>
    readPage(transport, { path: groupOf(source), query: {} }, options);
  return {
    async create(source, load, options) {
      const call = { method: 'POST', path: groupOf(source), body: jsonBody(load), options } as const;
      return (await transport.call<SourceLoad>(call)).value;
    },
    async putPart(source, loadId, part, records, options) {
      const body = { type: 'application/x-ndjson', text: await formatNdjson(records) };
      await transport.call({ method: 'PUT', path: `${pathOf(source, loadId)}/parts/${part}`, body, options });
    },
    async commit(source, loadId, { confirmDeletes, ...options } = {}) {
      const body = jsonBody(confirmDeletes === undefined ? {} : { confirmDeletes });
      const call = { method: 'POST', path: `${pathOf(source, loadId)}/commit`, body, options } as const;
      return (await transport.call<SourceLoad>(call)).value;
    },
    list: (source, options) => iterateItems((part) => page(source, { ...options, ...part })),
    page,
    async get(source, loadId, options) {
      return (await transport.call<SourceLoad>({ method: 'GET', path: pathOf(source, loadId), options })).value;
    },
    async cancel(source, loadId, options) {
      await transport.remove({ path: pathOf(source, loadId), headers: {}, options });
    },
  };
}
