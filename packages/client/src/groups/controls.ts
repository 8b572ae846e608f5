import type { Control, controlPatch } from '@access-admin/contract';
import type { PatchOf } from '../http/json-patch.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../http/list.ts';
import { createRecords } from '../http/records.ts';
import type { WriteOptions } from '../http/resource.ts';
import type { ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
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
  patch(id: string, operations: PatchOf<typeof controlPatch>, options?: WriteOptions): ResourceCall<Control>;
  /** Deletes a control (delete-control-v1). Rejects with a `ConflictError` while it is applied. */
  delete(id: string, options?: WriteOptions): Promise<void>;
}

/** Builds the operations on controls. */
export function createControls(transport: Transport): Controls {
  const group = '/controls/v1';
  const page: Controls['page'] = (options) =>
    readPage(transport, { path: group, query: { filters: options?.filters } }, options);
  return {
    ...createRecords<Control, NewControl>(transport, group),
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
  };
}
