/** One item of a violated policy: policy id, name, level, side, entitlement id, name, whether it was held before. */
export type AnswerRow = readonly [string, string, string, number, string, string, number];

/** Something that answers the questions of a world. */
export interface PredictEngine {
  readonly name: string;
  /** What is measured: the answer in the engine's own shape. */
  answer(question: number): unknown;
  /** The same answer in a shape that can be compared. */
  rows(question: number): readonly AnswerRow[];
  close(): void;
}
