import { jsonBody } from './json-body.ts';
import type { JsonPatch } from './json-patch.ts';
import { getResource, ifMatchHeader, patchResource, type WriteOptions } from './resource.ts';
import { createResourceCall, type ResourceCall } from './resource-call.ts';
import type { CallOptions, Transport } from './transport.ts';
import { resourcePath } from './url.ts';

/** The operations on one record of a group: `T` as it is shown, `N` as it is sent. */
interface Records<T, N> {
  create(record: N, options?: CallOptions): ResourceCall<T>;
  get(id: string, options?: CallOptions): ResourceCall<T>;
  replace(id: string, record: N, options?: WriteOptions): ResourceCall<T>;
  patch(id: string, operations: JsonPatch, options?: WriteOptions): ResourceCall<T>;
  delete(id: string, options?: WriteOptions): Promise<void>;
}

/** Builds the operations on one record of a group. A creation is repeated only if the record has an id. */
export function createRecords<T, N extends { readonly id?: string }>(
  transport: Transport,
  group: string,
): Records<T, N> {
  const at = (id: string) => ({ group, id, experimental: false });
  return {
    create: (record, options) => {
      const call = {
        method: 'POST',
        path: group,
        body: jsonBody(record),
        repeatable: record.id !== undefined,
        options,
      } as const;
      return createResourceCall(transport.call<T>(call));
    },
    get: (id, options) => getResource(transport, at(id), options),
    replace: (id, record, options) => {
      const send = async () => {
        const headers = ifMatchHeader(options);
        const path = resourcePath(group, id);
        return transport.call<T>({ method: 'PUT', path, headers, body: jsonBody(record), options });
      };
      return createResourceCall(send());
    },
    patch: (id, operations, options) => patchResource(transport, at(id), { operations, options }),
    async delete(id, options) {
      await transport.remove({ path: resourcePath(group, id), headers: ifMatchHeader(options), options });
    },
  };
}
