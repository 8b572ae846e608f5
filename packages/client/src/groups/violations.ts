import type { AppliedControl, SodViolation, ViolationSummary } from '@access-admin/contract';
import { type CursorOptions, type CursorPage, iteratePages, readCursorPage } from '../http/cursor-list.ts';
import { jsonBody } from '../http/json-body.ts';
import { decodeText, parseNdjson } from '../http/ndjson.ts';
import { getResource } from '../http/resource.ts';
import type { ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';

/** Filters and order of a list of violations. */
export interface ViolationListOptions extends CallOptions {
  /** Such as `status eq "Open" and level in ("High", "Critical")`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
  /** Such as `-level`: some of `level`, `created` and `modified`; the newest first if left out. */
  readonly sorters?: string | undefined;
}

/** Which page of violations to read. */
export interface ViolationPageOptions extends ViolationListOptions, CursorOptions {}

/** Options of calls that can give a reason. */
export interface CommentOptions extends CallOptions {
  readonly comments?: string | undefined;
}

/** A part of a list of violations. */
export interface ViolationPage extends CursorPage<SodViolation> {
  /** The instant that the violations are of; null before the register is filled for the first time. */
  readonly asOf: string | null;
}

/** The register of violations, which the service keeps up to date as data change. */
export interface Violations {
  /** Iterates over all violations that meet the filters, a page at a time (list-violations-v1). */
  list(options?: ViolationListOptions): AsyncIterable<SodViolation>;
  /** Reads one page of the list. */
  page(options?: ViolationPageOptions): Promise<ViolationPage>;
  /** Iterates over the violations that the identity of the client owns (list-my-violations-v1). */
  listMine(options?: ViolationListOptions): AsyncIterable<SodViolation>;
  /** Reads one page of these. */
  pageMine(options?: ViolationPageOptions): Promise<ViolationPage>;
  /** Iterates over all violations that meet the filters, as of one instant, as they arrive (export-violations-v1). */
  export(options?: Omit<ViolationListOptions, 'sorters'>): AsyncIterable<SodViolation>;
  /**
   * Iterates over the same as CSV (RFC 4180) with a header line, as text in pieces that end anywhere, as they arrive
   * (export-violations-v1).
   */
  exportCsv(options?: Omit<ViolationListOptions, 'sorters'>): AsyncIterable<string>;
  /** Reads the counts of present violations, with the trend of so many days: 30 if left out (get-violations-summary-v1). */
  summary(options?: CallOptions & { readonly days?: number | undefined }): Promise<ViolationSummary>;
  /** Reads a violation by its id (get-violation-v1). */
  get(id: string, options?: CallOptions): ResourceCall<SodViolation>;
  /**
   * Gives a violation another owner (reassign-violation-v1). Resolves with the violation; with null where the identity owns it
   * already.
   */
  reassign(id: string, assigneeId: string, options?: CommentOptions): Promise<SodViolation | null>;
  /** Applies a control, which requests an exception that another identity has to approve (apply-control-v1). */
  applyControl(id: string, controlId: string, options?: CommentOptions): Promise<AppliedControl>;
}

/** Builds the operations on violations. */
export function createViolations(transport: Transport): Violations {
  const group = '/violations/v1';
  const pageOf =
    (path: string): Violations['page'] =>
    async (options) => {
      const query = { filters: options?.filters, sorters: options?.sorters };
      const { page, headers } = await readCursorPage<SodViolation>(transport, { path, query }, options);
      return { ...page, asOf: headers.get('x-as-of') };
    };
  const stream = (accept: string, options: ViolationListOptions | undefined) =>
    transport.stream({
      method: 'GET',
      path: `${group}/export`,
      query: { filters: options?.filters },
      headers: { accept },
      options,
    });
  const page = pageOf(group);
  const pageMine = pageOf('/my-violations/v1');
  return {
    list: (options) => iteratePages((part) => page({ ...options, ...part })),
    page,
    listMine: (options) => iteratePages((part) => pageMine({ ...options, ...part })),
    pageMine,
    export: (options) => parseNdjson(stream('application/x-ndjson', options)),
    exportCsv: (options) => decodeText(stream('text/csv', options)),
    async summary(options) {
      const query = { days: options?.days };
      const path = `${group}/summary`;
      return (await transport.call<ViolationSummary>({ method: 'GET', path, query, options })).value;
    },
    async reassign(id, assigneeId, { comments, ...options } = {}) {
      const reassignTo = { type: 'IDENTITY', id: assigneeId };
      const body = jsonBody({ reassignTo, comments });
      const path = `${resourcePath(group, id)}/reassign`;
      return (await transport.call<SodViolation | null>({ method: 'POST', path, body, repeatable: true, options }))
        .value;
    },
    async applyControl(id, controlId, { comments, ...options } = {}) {
      const control = { type: 'CONTROL', id: controlId };
      const body = jsonBody({ control, comments });
      const path = `${resourcePath(group, id)}/controls`;
      return (await transport.call<AppliedControl>({ method: 'POST', path, body, options })).value;
    },
    get: (id, options) => getResource(transport, { group, id, experimental: false }, options),
  };
}
