import { ok, type Result } from '@access-admin/domain';
import type { OperationResult } from '../../operations/operation.ts';

const CHUNK_LENGTH = 65_536;

/** JSON lines in chunks, so that memory does not grow with their number. */
export async function* ndjsonOf(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  let chunk = '';
  for await (const record of records) {
    chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

/** Answers text that is sent in pieces, or passes a refusal on. */
export const asText = <F>(text: Result<AsyncIterable<string | Uint8Array>, F>): Result<OperationResult, F> =>
  text.ok ? ok({ text: text.value }) : text;
