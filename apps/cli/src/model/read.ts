import type { Catalogue } from '@access-admin/domain';
import { fileSize, readLines } from '../files/read-lines.ts';
import { reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { formatProblem, type Problem } from '../output/problem.ts';
import { createCatalogue, isProblem, type ModelIdentity, parseModelLine } from './records.ts';

/** What reading a model needs. */
export interface ModelReading {
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** The most faults of a file that are named at once. */
const PROBLEMS_MAX = 100;

/**
 * Reads a model, whose identities are handed on one by one. `begin` receives the whole catalogue before the first identity; where a
 * record of the catalogue comes after an identity, the file is read a second time, and `begin` is called again. Throws a `CommandFailure` that names each faulty line.
 */
export async function readModel(
  path: string,
  begin: (catalogue: Catalogue) => (identity: ModelIdentity, line: number) => void,
  reading: ModelReading,
): Promise<void> {
  const ordered = await readOnce(path, { ...reading, begin, catalogue: null });
  if (ordered) return;
  if (path === '-')
    throw new CommandFailure(
      'the standard input has identities before entitlements: give a file, which can be read twice',
    );
  const catalogue = await readCatalogue(path, reading);
  await readOnce(path, { ...reading, begin, catalogue });
}

/** Reads the catalogue of a model alone. */
export async function readCatalogue(path: string, reading: ModelReading): Promise<Catalogue> {
  const builder = createCatalogue();
  await forEachRecord(path, reading, (record) => {
    builder.add(record);
    return true;
  });
  return builder.catalogue();
}

interface Once extends ModelReading {
  readonly begin: (catalogue: Catalogue) => (identity: ModelIdentity, line: number) => void;
  /** The whole catalogue, where it is known. */
  readonly catalogue: Catalogue | null;
}

/** Returns false where a record of the catalogue follows an identity. */
async function readOnce(path: string, { begin, catalogue, ...reading }: Once): Promise<boolean> {
  const builder = createCatalogue();
  let take: ((identity: ModelIdentity, line: number) => void) | null = null;
  const isOrdered = await forEachRecord(path, reading, (record, line) => {
    if (record.kind === 'other') return true;
    if (record.kind === 'identity') {
      take ??= begin(catalogue ?? builder.catalogue());
      take(record, line);
      return true;
    }
    if (catalogue === null && take !== null) return false;
    builder.add(record);
    return true;
  });
  if (isOrdered && take === null) begin(catalogue ?? builder.catalogue());
  return isOrdered;
}

/** Hands on each record of a file until `take` returns false; returns whether it never did. */
async function forEachRecord(
  path: string,
  { output, signal }: ModelReading,
  take: (record: Exclude<ReturnType<typeof parseModelLine>, Problem>, line: number) => boolean,
): Promise<boolean> {
  const progress = output.progress(`Reading ${path}`, 'bytes');
  const problems: Problem[] = [];
  try {
    const total = fileSize(path);
    for await (const { lines, first, bytes } of readLines(path, signal)) {
      for (let index = 0; index < lines.length; index++) {
        const record = parseModelLine(lines[index] ?? '', path, first + index);
        if (isProblem(record)) problems.push(record);
        else if (!take(record, first + index)) return false;
      }
      if (problems.length >= PROBLEMS_MAX) break;
      progress.update(bytes, total);
    }
  } catch (error) {
    if (error instanceof CommandFailure || signal.aborted) throw error;
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  } finally {
    progress.end();
  }
  if (problems.length > 0) throw new CommandFailure(problems.slice(0, PROBLEMS_MAX).map(formatProblem).join('\n'));
  return true;
}
