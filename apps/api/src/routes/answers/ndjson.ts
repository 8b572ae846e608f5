import { ok, type Result } from '@access-admin/domain';
import { inChunks } from '../../http/pieces.ts';
import type { OperationResult } from '../../operations/operation.ts';

/** JSON lines in chunks, so that memory does not grow with their number. */
export const ndjsonOf = (records: AsyncIterable<unknown>): AsyncGenerator<string> => inChunks(linesOf(records));

async function* linesOf(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** Answers text that is sent in pieces, or passes a refusal on. */
export const asText = <F>(text: Result<AsyncIterable<string | Uint8Array>, F>): Result<OperationResult, F> =>
  text.ok ? ok({ text: text.value }) : text;
