import type { ShownAccount, Source, sourcePatch } from '@access-admin/contract';
import { jsonBody } from '../http/json-body.ts';
import type { PatchOf } from '../http/json-patch.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../http/list.ts';
import { createRecords } from '../http/records.ts';
import { getResource, ifMatchHeader, type WriteOptions } from '../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';
import type { SourceInput } from './access-model-record.ts';

/** Filters of the list of sources. */
export interface SourceListOptions extends CallOptions {
  /** Such as `name sw "ERP"`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
}

/** Filters of the list of accounts. */
export interface AccountListOptions extends CallOptions {
  /** Such as `source eq "erp" and identityId eq null`; all if left out. */
  readonly filters?: string | undefined;
}

/** A source to create. Without an id the service generates one. */
export type NewSource = Omit<SourceInput, 'id'> & { readonly id?: string };

/** The systems that data of the tenant comes from. */
export interface Sources {
  /** Iterates over all sources that meet the filters, a page at a time (list-sources-v1). */
  list(options?: SourceListOptions): AsyncIterable<Source>;
  /** Reads one page of the list. */
  page(options?: SourceListOptions & PageOptions): Promise<Page<Source>>;
  /** Creates a source (create-source-v1). Repeated after an unknown outcome only if it has an id. */
  create(source: NewSource, options?: CallOptions): ResourceCall<Source>;
  /** Reads a source by its id (get-source-v1). */
  get(id: string, options?: CallOptions): ResourceCall<Source>;
  /** Replaces a source (put-source-v1); properties that are left out get their default. */
  replace(id: string, source: NewSource, options?: WriteOptions): ResourceCall<Source>;
  /** Changes a source (patch-source-v1). After an unknown outcome it is repeated only with `ifMatch`. */
  patch(id: string, operations: PatchOf<typeof sourcePatch>, options?: WriteOptions): ResourceCall<Source>;
  /** Deletes a source with its accounts (delete-source-v1). */
  delete(id: string, options?: WriteOptions): Promise<void>;
}

/** The accounts of all sources. */
export interface Accounts {
  /** Iterates over all accounts that meet the filters, a page at a time (list-accounts-v1). */
  list(options?: AccountListOptions): AsyncIterable<ShownAccount>;
  /** Reads one page of the list. */
  page(options?: AccountListOptions & PageOptions): Promise<Page<ShownAccount>>;
  /** Reads an account by its key (get-account-v1). */
  get(key: string, options?: CallOptions): ResourceCall<ShownAccount>;
  /** Gives an account its identity by hand, or none (put-account-identity-v1). */
  link(key: string, identityId: string | null, options?: WriteOptions): ResourceCall<ShownAccount>;
}

/** Builds the operations on sources. */
export function createSources(transport: Transport): Sources {
  const group = '/sources/v1';
  const page: Sources['page'] = (options) =>
    readPage(transport, { path: group, query: { filters: options?.filters } }, options);
  return {
    ...createRecords<Source, NewSource>(transport, group),
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
  };
}

/** Builds the operations on accounts. */
export function createAccounts(transport: Transport): Accounts {
  const group = '/accounts/v1';
  const page: Accounts['page'] = (options) =>
    readPage(transport, { path: group, query: { filters: options?.filters } }, options);
  return {
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    get: (key, options) => getResource(transport, { group, id: key, experimental: false }, options),
    link: (key, identityId, options) => {
      const headers = ifMatchHeader(options);
      const path = `${resourcePath(group, key)}/identity`;
      const call = { method: 'PUT', path, headers, body: jsonBody({ identityId }), options } as const;
      return createResourceCall(transport.call<ShownAccount>(call));
    },
  };
}
