import type { Control } from '@access-admin/contract';
import { jsonBody } from '../http/json-body.ts';
import type { JsonPatchOperation } from '../http/json-patch.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../http/list.ts';
import { getResource, ifMatchHeader, patchResource, type WriteOptions } from '../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';
import type { ControlInput } from './access-model-record.ts';

/** Filters of the list of controls. */
export interface ControlListOptions extends CallOptions {
  /** Such as `name sw "Second"`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
}

/** A control to create. Without an id the service generates one. */
export type NewControl = Omit<ControlInput, 'id'> & { readonly id?: string };

/** The compensating controls of the tenant. */
export interface Controls {
  /** Iterates over all controls that meet the filters, a page at a time (list-controls-v1). */
  list(options?: ControlListOptions): AsyncIterable<Control>;
  /** Reads one page of the list. */
  page(options?: ControlListOptions & PageOptions): Promise<Page<Control>>;
  /** Creates a control (create-control-v1). Repeated after an unknown outcome only if it has an id. */
  create(control: NewControl, options?: CallOptions): ResourceCall<Control>;
  /** Reads a control by its id (get-control-v1). */
  get(id: string, options?: CallOptions): ResourceCall<Control>;
  /** Replaces a control (put-control-v1); properties that are left out get their default. */
  replace(id: string, control: NewControl, options?: WriteOptions): ResourceCall<Control>;
  /** Changes a control (patch-control-v1). After an unknown outcome it is repeated only with `ifMatch`. */
  patch(id: string, operations: readonly JsonPatchOperation[], options?: WriteOptions): ResourceCall<Control>;
  /** Deletes a control (delete-control-v1). Rejects with a `ConflictError` while it is applied. */
  delete(id: string, options?: WriteOptions): Promise<void>;
}

/** Builds the operations on controls. */
export function createControls(transport: Transport): Controls {
  const group = '/controls/v1';
  const at = (id: string) => ({ group, id, experimental: false });
  const page: Controls['page'] = (options) =>
    readPage(transport, { path: group, query: { filters: options?.filters } }, options);
  return {
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    create: (control, options) => {
      const repeatable = control.id !== undefined;
      const call = { method: 'POST', path: group, body: jsonBody(control), repeatable, options } as const;
      return createResourceCall(transport.call<Control>(call));
    },
    get: (id, options) => getResource(transport, at(id), options),
    replace: (id, control, options) => {
      const headers = ifMatchHeader(options);
      const call = { method: 'PUT', path: resourcePath(group, id), headers, body: jsonBody(control), options } as const;
      return createResourceCall(transport.call<Control>(call));
    },
    patch: (id, operations, options) => patchResource(transport, at(id), { operations, options }),
    async delete(id, options) {
      await transport.remove({ path: resourcePath(group, id), headers: ifMatchHeader(options), options });
    },
  };
}
