import type { Catalogue } from '@access-admin/domain';
import { fileSize, type LinePiece, linesOf } from '../files/read-lines.ts';
import type { ViolationLog } from '../gates/violation-log.ts';
import { type ModelReading, PROBLEMS_MAX, readCatalogue, readModelPieces, refuseProblems } from '../model/read.ts';
import { createCatalogue, isProblem, parseModelLine } from '../model/records.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Problem } from '../output/problem.ts';
import {
  createLinesEvaluator,
  type EvaluatedLines,
  type EvaluateLines,
  type Evaluation,
  type ModelEvaluation,
} from './evaluate-lines.ts';
import { type EvaluationThreads, startThreads } from './threads.ts';

/** What evaluating a model needs. */
export interface ModelEvaluationOptions extends ModelReading {
  /** Makes the evaluation of the catalogue, which comes before the first identity. */
  readonly begin: (catalogue: Catalogue) => Evaluation;
  /** Receives the violations, in the order of the file. */
  readonly log: ViolationLog;
  /** Null to evaluate all in this thread. */
  readonly threads: EvaluationThreads | null;
  /** Runs what keeps the event loop busy for long. */
  readonly blocking: <T>(action: () => T) => Promise<T>;
}

/** How many identities a model has, and how many of them violate a policy. */
export type IdentityCounts = Pick<EvaluatedLines, 'identities' | 'violating'>;

/** Starting threads takes longer than to evaluate less than this. */
const THREADS_FROM_BYTES = 32 * 1024 * 1024;
/** Two, so that a thread has its next piece when it has finished one. */
const PIECES_PER_THREAD = 2;

/**
 * Evaluates the identities of a model. Where a record of the catalogue comes after an identity, the file is read again, and `begin` is
 * called again. Throws a `CommandFailure` that names each faulty line.
 */
export async function evaluateModel(file: string, options: ModelEvaluationOptions): Promise<IdentityCounts> {
  const counts = await evaluateOnce(file, null, options);
  if (counts !== null) return counts;
  if (file === '-')
    throw new CommandFailure(
      'the standard input has identities before entitlements: give a file, which can be read twice',
    );
  const again = await evaluateOnce(file, await readCatalogue(file, options), options);
  return again ?? { identities: 0, violating: 0 };
}

/** Returns null where a record of the catalogue follows an identity, or may follow. */
async function evaluateOnce(
  file: string,
  whole: Catalogue | null,
  { begin, log, threads, blocking, ...reading }: ModelEvaluationOptions,
): Promise<IdentityCounts | null> {
  log.clear();
  const counts = { identities: 0, violating: 0 };
  const problems: Problem[] = [];
  const reader = createCatalogueReader(file, problems);
  const start = () => {
    const catalogue = whole ?? reader.catalogue();
    const evaluation = { ...begin(catalogue), file, catalogue, isWhole: whole !== null };
    return startEvaluator(evaluation, (fileSize(file) ?? 0) < THREADS_FROM_BYTES ? null : threads);
  };
  let evaluator = whole === null ? null : await blocking(start);
  const evaluated: (EvaluatedLines | Promise<EvaluatedLines>)[] = [];
  /** Adds up the piece that was begun first; returns false where the catalogue must be read first. */
  const settleNext = async () => {
    const lines = await evaluated.shift();
    if (lines === undefined) return true;
    for (const violation of lines.violations) log.add(violation);
    counts.identities += lines.identities;
    counts.violating += lines.violating;
    problems.push(...lines.problems);
    // What identities lack may be in a later record, so so many faults are those of the whole catalogue.
    return lines.isOrdered && (problems.length < PROBLEMS_MAX || whole !== null || file === '-');
  };
  try {
    for await (const piece of readModelPieces(file, reading)) {
      const rest = evaluator === null ? reader.take(piece) : piece;
      if (rest !== null) {
        evaluator ??= await blocking(start);
        evaluated.push(evaluator.evaluate(rest));
        if (evaluated.length > evaluator.queueMax && !(await settleNext())) return null;
      }
      if (problems.length >= PROBLEMS_MAX) break;
    }
    while (evaluated.length > 0) if (!(await settleNext())) return null;
    refuseProblems(problems);
    // A model without identities is checked as any other.
    evaluator ??= await blocking(start);
    return counts;
  } finally {
    await evaluator?.end();
  }
}

interface Evaluator {
  evaluate(...piece: Parameters<EvaluateLines>): EvaluatedLines | Promise<EvaluatedLines>;
  /** How many pieces may wait for it or be worked on. */
  readonly queueMax: number;
  end(): Promise<void>;
}

function startEvaluator(evaluation: ModelEvaluation, threads: ModelEvaluationOptions['threads']): Evaluator {
  if (threads === null) return { evaluate: createLinesEvaluator(evaluation), queueMax: 0, end: async () => {} };
  const { count, start } = threads;
  return { ...startThreads(count, start, evaluation), queueMax: count * PIECES_PER_THREAD };
}

/** Takes the catalogue from the beginning of a model, up to the first identity. */
function createCatalogueReader(file: string, problems: Problem[]) {
  const builder = createCatalogue();
  return {
    catalogue: builder.catalogue,
    /** Returns what begins with the first identity; null where there is none in a piece. */
    take: ({ content, first }: LinePiece): Parameters<EvaluateLines>[0] | null => {
      let line = first;
      for (const bytes of linesOf(content)) {
        const record = parseModelLine(bytes, { file, line });
        if (isProblem(record)) problems.push(record);
        else if (record.kind === 'identity')
          return { content: content.subarray(bytes.byteOffset - content.byteOffset), first: line };
        else builder.add(record);
        line++;
      }
      return null;
    },
  };
}
