import {
  type AccessAdminClient,
  type AccessModelInput,
  ApiError,
  type ImportCounts,
  type ImportResult,
  type ImportWarning,
  type RecordKind,
} from '@access-admin/client';
import { RECORD_KINDS, recordOf } from '@access-admin/domain';
import { jsonErrorPlace, reasonOf } from '../files/read-text.ts';
import { counted } from '../output/counted.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { type ImportChunk, type ImportContent, type ImportReading, splitImport } from './import-chunks.ts';
import { type KeptProgress, keptNumber } from './kept-progress.ts';
import { whileAway } from './while-away.ts';

/** What several imports did together. */
export interface ImportTotals {
  readonly counts: Readonly<Record<RecordKind, ImportCounts>>;
  readonly policySetVersion: number | null;
  readonly warnings: readonly ImportWarning[];
}

/** What an import needs. */
export interface Importing {
  readonly client: AccessAdminClient;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** The longest that one request may take. */
const REQUEST_MS = 180_000;

/**
 * Imports files, in as many requests as it takes. Requests whose outcome is unknown are repeated: importing the same records again is
 * harmless. After a failure the same call goes on where it stopped.
 */
export async function importFiles(
  reading: ImportReading,
  content: ImportContent,
  { client, output, signal, state }: Importing & { readonly state: KeptProgress },
): Promise<ImportTotals> {
  const progress = output.progress('Importing', 'bytes');
  const totals = createTotals();
  const done = keptNumber(state.read()['done']);
  if (done > 0) output.note(`going on after ${done} requests of an earlier run`);
  let number = 0;
  let bytes = 0;
  let records = 0;
  let isKept = true;
  try {
    const chunks = splitImport(reading, content);
    let next = chunks.next();
    for (;;) {
      const { value: chunk, done: isEnd } = await next;
      if (isEnd || chunk === undefined) break;
      // The next part is read while this one is imported.
      next = chunks.next();
      next.catch(() => {});
      if (number >= done) {
        totals.add(await importChunk(chunk, { client, output, signal }));
        isKept = state.save({ done: number + 1 });
      }
      number++;
      bytes += chunk.bytes;
      records += chunk.records;
      progress.update(bytes, content.bytes);
    }
    state.remove();
    return totals.end();
  } catch (error) {
    progress.end();
    const amount = `${records.toLocaleString('en-US')} of ${counted(content.records, 'record is', 'records are')} imported`;
    // Importing the same records again changes nothing.
    const again = isKept
      ? 'the same command goes on from there'
      : 'the same command begins from the start, which is harmless';
    const how = records === 0 && done === 0 ? 'nothing was imported' : `${amount}: ${again}`;
    if (signal.aborted) throw new CommandFailure(`stopped: ${how}`);
    output.note(how);
    throw error;
  } finally {
    progress.end();
  }
}

/** Imports records that are few, such as deletions. */
export async function importRecords(records: readonly AccessModelInput[], importing: Importing): Promise<ImportResult> {
  const text = records.map((record) => JSON.stringify(record)).join('\n');
  const placeOf = (line: number) => {
    const { kind, id } = Object(records[line - 1]);
    return `${kind} ${id}`;
  };
  return importChunk({ text, records: records.length, bytes: text.length, placeOf }, importing);
}

async function importChunk(chunk: ImportChunk, { client, output, signal }: Importing): Promise<ImportResult> {
  try {
    const send = () => client.accessModel.import(chunk.text, { signal, timeoutMs: REQUEST_MS });
    return await whileAway(send, { output, signal });
  } catch (error) {
    throw named(error, chunk);
  }
}

/** An error whose causes name lines of the request, with the lines of the files instead. */
function named(error: unknown, chunk: ImportChunk): unknown {
  if (!(error instanceof ApiError) || error.causes.length === 0) return error;
  const texts = error.causes.map(({ text }) => {
    const [whole = '', line = ''] = /^line (\d+)/.exec(text) ?? [];
    if (line === '') return text;
    return syntaxError(chunk, Number(line)) ?? chunk.placeOf(Number(line)) + text.slice(whole.length);
  });
  const [first = ''] = error.messages.map(({ text }) => text);
  return new CommandFailure(
    `the import was refused (${error.detailCode ?? error.status}): ${first}\n${texts.join('\n')}`,
  );
}

/** A syntax error of a line, with its column; null for a line without. */
function syntaxError({ text, placeOf }: ImportChunk, line: number): string | null {
  const given = text.split('\n')[line - 1] ?? '';
  try {
    JSON.parse(given);
    return null;
  } catch (error) {
    const [, column] = jsonErrorPlace(given, error).split(':');
    return `${placeOf(line)}:${column}: not JSON: ${reasonOf(error)}`;
  }
}

function createTotals() {
  const counts = recordOf(RECORD_KINDS, () => ({ created: 0, updated: 0, deleted: 0, unchanged: 0 }));
  const warnings: ImportWarning[] = [];
  let policySetVersion: number | null = null;
  return {
    add: (result: ImportResult) => {
      for (const kind of RECORD_KINDS)
        for (const what of ['created', 'updated', 'deleted', 'unchanged'] as const)
          counts[kind][what] += result.counts[kind][what];
      warnings.push(...result.warnings.slice(0, WARNINGS_MAX - warnings.length));
      policySetVersion = result.policySetVersion;
    },
    end: (): ImportTotals => ({ counts, policySetVersion, warnings }),
  };
}

const WARNINGS_MAX = 100;
