import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { GenericSchema } from 'valibot';
import { parseStrictJson } from '../bodies/strict-json.ts';
import { errorResponse } from '../validation/error-response.ts';
import { validate } from '../validation/validate.ts';
import type { Operation } from './define-operation.ts';
import { type OperationId, operationOf } from './table.ts';

/** A response of the service. */
export interface ReceivedResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Validates a response against the operation table: the status is the success status or 4xx or 5xx, and the body, or each
 * line of it, fits the schema of that status. `MalformedBody` for a property that the schema lacks.
 */
export function validateResponse(id: OperationId, { status, text }: ReceivedResponse): Result<null, Failure> {
  const schema = responseSchemaOf(id, status);
  if (schema === undefined) return fail(failure('IllegalValue', 'status', `${id} does not answer ${status}`));
  if (schema === null) return text === '' ? ok(null) : fail(failure('MalformedBody', '', 'must be empty'));
  if (status < 400 && operationOf(id).response.mediaType === 'application/jose') {
    const valid = validate(schema, text);
    return valid.ok ? ok(null) : valid;
  }
  for (const body of bodiesOf(id, { status, text })) {
    const json = parseStrictJson(body);
    const valid = json.ok ? validate(schema, json.value) : json;
    if (!valid.ok) return valid;
  }
  return ok(null);
}

/**
 * The schema of the body, or of each line of it, of a response with this status: null without a body, undefined if the
 * operation never answers the status.
 */
export function responseSchemaOf(id: OperationId, status: number): GenericSchema | null | undefined {
  if (status >= 400) return errorResponse;
  const { response }: Operation = operationOf(id);
  if (status === 204 && response.emptyWhen !== undefined) return null;
  return status === response.status ? response.schema : undefined;
}

function bodiesOf(id: OperationId, { status, text }: ReceivedResponse): readonly string[] {
  const { response }: Operation = operationOf(id);
  const { otherMediaTypes } = response;
  const lines = () => text.split('\n').filter((line) => line !== '');
  if (status >= 400) return [text];
  // The header line of CSV.
  if (otherMediaTypes?.includes('text/csv') && text.startsWith('id,')) return [];
  if (response.mediaType === 'application/x-ndjson') return lines();
  if (otherMediaTypes === undefined || text.startsWith('[')) return [text];
  // Lines of items, or the data of a stream of them.
  const items = lines().filter((line) => !/^(?::|id:|retry:)/.test(line));
  return items.map((line) => `[${line.replace(/^data: /, '')}]`);
}
