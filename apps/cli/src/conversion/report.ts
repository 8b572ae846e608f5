import type { Output } from '../output/output.ts';
import { formatProblem, type Problem } from '../output/problem.ts';

/** Collects the lines that cannot be converted: each is named, none is dropped in silence. */
export interface Faults {
  add(problem: Problem): void;
  readonly count: number;
}

/** Creates a collection that names each line at once. */
export function createFaults({ note }: Output): Faults {
  let count = 0;
  return {
    add: (problem) => {
      count++;
      note(formatProblem(problem));
    },
    get count() {
      return count;
    },
  };
}
