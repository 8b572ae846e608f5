import { growInto } from './grow.ts';

/** Numbers in a list that grows, with four bytes each. */
export interface NumberList {
  values: Uint32Array;
  length: number;
}

/** An empty list. */
export const createNumberList = (): NumberList => ({ values: new Uint32Array(16), length: 0 });

/** Appends a number from 0 to 2³² − 1. */
export function addNumber(list: NumberList, number: number): void {
  if (list.length === list.values.length) list.values = growInto(list.values, new Uint32Array(list.length * 2));
  list.values[list.length++] = number;
}
