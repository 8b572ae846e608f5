import type { AuditEvent, SignedAuditHead } from '@access-admin/contract';
import { iterateItems, type Page, type PageOptions, readPage } from '../../http/list.ts';
import { parseNdjson } from '../../http/ndjson.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';

/** Filters of the list of audit events. */
export interface AuditEventOptions extends CallOptions {
  /** Such as `time ge "2026-01-01T00:00:00Z" and actor eq "i-1"`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
}

/** The audit log of the tenant: changes and refused requests, by sequence. */
export interface AuditEvents {
  /** Iterates over all events that meet the filters, a page at a time. */
  list(options?: AuditEventOptions): AsyncIterable<AuditEvent>;
  /** Reads one page of the list. */
  page(options?: AuditEventOptions & PageOptions): Promise<Page<AuditEvent>>;
  /** Iterates over all events up to the start of the export, as they arrive. */
  export(options?: CallOptions): AsyncIterable<AuditEvent>;
  /** Reads the signed head: the last event of the log. */
  head(options?: CallOptions): Promise<SignedAuditHead>;
}

/** Builds the reads of the audit log. */
export function createAuditEvents(transport: Transport): AuditEvents {
  const group = '/audit-events/v1';
  const page: AuditEvents['page'] = (options) =>
    readPage(transport, { path: group, query: { filters: options?.filters } }, options);
  return {
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    export: (options) =>
      parseNdjson(
        transport.stream({
          method: 'GET',
          path: `${group}/export`,
          headers: { accept: 'application/x-ndjson' },
          options,
        }),
      ),
    async head(options) {
      return (await transport.call<SignedAuditHead>({ method: 'GET', path: `${group}/head`, options })).value;
    },
  };
}
