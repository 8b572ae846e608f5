import type { Catalogue } from '@access-admin/domain';
import { fileSize, type LinePiece, linesOf, readLinePieces } from '../files/read-lines.ts';
import { reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { formatProblem, type Problem } from '../output/problem.ts';
import { createCatalogue, isProblem, type ModelRecord, parseModelLine } from './records.ts';

/** What reading a model needs. */
export interface ModelReading {
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** The most faults of a file that are named at once. */
export const PROBLEMS_MAX = 100;

/** Names the faults of a model, if there are any: throws a `CommandFailure`. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new CommandFailure(problems.slice(0, PROBLEMS_MAX).map(formatProblem).join('\n'));
}

/** Reads a model, and hands on each record. Throws a `CommandFailure` that names each faulty line. */
export async function readModel(
  path: string,
  reading: ModelReading,
  take: (record: ModelRecord) => void,
): Promise<void> {
  const problems: Problem[] = [];
  for await (const piece of readModelPieces(path, reading)) {
    let line = piece.first;
    for (const bytes of linesOf(piece.content)) {
      const record = parseModelLine(bytes, { file: path, line: line++ });
      if (isProblem(record)) problems.push(record);
      else take(record);
    }
    if (problems.length >= PROBLEMS_MAX) break;
  }
  refuseProblems(problems);
}

/** Reads the catalogue of a model alone. */
export async function readCatalogue(path: string, reading: ModelReading): Promise<Catalogue> {
  const builder = createCatalogue();
  await readModel(path, reading, builder.add);
  return builder.catalogue();
}

/** Reads the lines of a model in pieces, with its progress. Throws a `CommandFailure` where it cannot be read. */
export async function* readModelPieces(path: string, { output, signal }: ModelReading): AsyncGenerator<LinePiece> {
  const progress = output.progress(`Reading ${path}`, 'bytes');
  try {
    const total = fileSize(path);
    for await (const piece of readLinePieces(path, signal)) {
      yield piece;
      progress.update(piece.bytes, total);
    }
  } catch (error) {
    if (error instanceof CommandFailure || signal.aborted) throw error;
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  } finally {
    progress.end();
  }
}
