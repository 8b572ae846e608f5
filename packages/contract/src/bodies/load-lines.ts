import {
  type Failure,
  fail,
  failure,
  type LineFault,
  LOAD_FAULTS_MAX,
  type LoadPart,
  type LoadRecord,
  ok,
  type Result,
} from '@access-admin/domain';
import { IMPORT_LINE_LENGTH_MAX } from '../limits.ts';
import { loadRecord } from '../schemas/loads.ts';
import { validate } from '../validation/validate.ts';
import { linesOf } from './lines-of.ts';
import { parseStrictJson } from './strict-json.ts';

/** The longest line of which all faults are told: in a longer one they could be millions. */
const ALL_FAULTS_LENGTH_MAX = 64 * 1024;

/** Characters parsed between two pauses. */
const CHARACTERS_PER_SLICE = 100_000;

/** The most causes in the text of one fault. */
const CAUSES_OF_LINE_MAX = 5;

/**
 * Parses the lines of a part of a load (NDJSON; blank lines and CRLF are accepted). A bad line is no failure: the load is refused
 * for it when it is committed. Awaits `pause` every few milliseconds, so that other requests are served.
 */
export async function parseLoadPart(text: string, pause: () => Promise<unknown>): Promise<Result<LoadPart, Failure>> {
  const records: { readonly line: number; readonly record: LoadRecord }[] = [];
  const faults: LineFault[] = [];
  let faultCount = 0;
  let line = 0;
  let unpaused = 0;
  for (const lineText of linesOf(text)) {
    line++;
    unpaused += lineText.length + 1;
    if (unpaused > CHARACTERS_PER_SLICE) {
      await pause();
      unpaused = 0;
    }
    if (lineText.trim() === '') continue;
    const record = parseLine(lineText);
    if (record.ok) {
      records.push({ line, record: record.value });
      continue;
    }
    faultCount += 1;
    if (faults.length < LOAD_FAULTS_MAX) faults.push({ line, text: textOf(record.failure) });
  }
  return ok({ records, faults, faultCount });
}

function parseLine(text: string): Result<LoadRecord, Failure> {
  if (text.length > IMPORT_LINE_LENGTH_MAX)
    return fail(failure('LimitExceeded', '', `A line can have at most ${IMPORT_LINE_LENGTH_MAX} characters.`));
  const json = parseStrictJson(text);
  return json.ok ? validate(loadRecord, json.value, { abortEarly: text.length > ALL_FAULTS_LENGTH_MAX }) : json;
}

const textOf = ({ causes }: Failure): string =>
  causes
    .slice(0, CAUSES_OF_LINE_MAX)
    .map(({ at, text }) => (at === '' ? text : `${at}: ${text}`))
    .join('; ');
