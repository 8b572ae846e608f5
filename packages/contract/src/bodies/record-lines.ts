import { type Failure, fail, failure, type Result } from '@access-admin/domain';
import type * as v from 'valibot';
import { IMPORT_LINE_LENGTH_MAX } from '../limits.ts';
import { validate } from '../validation/validate.ts';
import { linesOf } from './lines-of.ts';
import { parseStrictJson } from './strict-json.ts';

/** The longest line of which all faults are told: in a longer one they could be millions. */
const ALL_FAULTS_LENGTH_MAX = 64 * 1024;

/** Characters parsed between two pauses. */
const CHARACTERS_PER_SLICE = 100_000;

/**
 * Calls `take` with each line of NDJSON and its number, from 1, until it returns false; blank lines are passed over, and CRLF is
 * accepted. Awaits `pause` every few milliseconds, so that other requests are served.
 */
export async function eachLine(
  text: string,
  pause: () => Promise<unknown>,
  take: (line: number, text: string) => boolean,
): Promise<void> {
  let line = 0;
  let unpaused = 0;
  for (const lineText of linesOf(text)) {
    line++;
    unpaused += lineText.length + 1;
    if (unpaused > CHARACTERS_PER_SLICE) {
      await pause();
      unpaused = 0;
    }
    if (lineText.trim() !== '' && !take(line, lineText)) return;
  }
}

/** Parses the JSON of a line that has a record. */
export const parseLineJson = (text: string): Result<unknown, Failure> =>
  text.length > IMPORT_LINE_LENGTH_MAX
    ? fail(failure('LimitExceeded', '', `A line can have at most ${IMPORT_LINE_LENGTH_MAX} characters.`))
    : parseStrictJson(text);

/** Validates the record of a line of this length. */
export const validateLine = <S extends v.GenericSchema>(schema: S, json: unknown, length: number) =>
  validate(schema, json, { abortEarly: length > ALL_FAULTS_LENGTH_MAX });
