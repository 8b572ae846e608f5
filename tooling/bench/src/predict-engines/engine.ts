/** One item of a violated policy: policy id, name, level, side, entitlement id, name, and 1 if it was held before. */
export type AnswerRow = readonly [string, string, string, number, string, string, number];

/** An evaluator for the questions of a world. */
export interface PredictEngine {
  readonly name: string;
  /** The measured call; returns the answer in the engine's own form. */
  answer(question: number): unknown;
  /** The same answer in the form that is compared between engines. */
  rows(question: number): readonly AnswerRow[];
  close(): void;
}
