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

/** A library that decides one request and names the violated policies without their items. */
export interface RulesEngine {
  readonly name: string;
  /** The ids of the policies that the request would violate, in any order. */
  answer(question: number): readonly string[] | Promise<readonly string[]>;
}
