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

/** A library that decides about one request: it names the violated policies, and none of their items. */
export interface RulesEngine {
  readonly name: string;
  /** The ids of the policies that the request would violate, in any order. */
  answer(question: number): readonly string[] | Promise<readonly string[]>;
}
