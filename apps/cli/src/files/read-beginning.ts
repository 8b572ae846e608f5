import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { CommandFailure } from '../output/failure.ts';
import { reasonOf } from './read-text.ts';

const BEGINNING_BYTES = 1024 * 1024;

/** The first megabyte of a file. Throws a `CommandFailure` that names the file. */
export function readBeginningBytes(path: string): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const beginning = Buffer.alloc(Math.min(BEGINNING_BYTES, statSync(path).size));
      return beginning.subarray(0, readSync(file, beginning));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
}
