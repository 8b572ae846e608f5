import {
  type AccessModelRecord,
  CAUSES_MAX,
  type Cause,
  type Failure,
  fail,
  failure,
  type ImportRecord,
  type Issue,
  ok,
  type Result,
} from '@access-admin/domain';
import { IMPORT_LINE_LENGTH_MAX } from '../limits.ts';
import { accessModelRecord } from '../schemas/access-model.ts';
import { mostSevereFailure, validate } from '../validation/validate.ts';
import { linesOf } from './lines-of.ts';
import { parseStrictJson } from './strict-json.ts';

/** Characters parsed between two pauses. */
const CHARACTERS_PER_SLICE = 100_000;

/**
 * Parses the lines of an import (NDJSON; blank lines and CRLF are accepted). A failure has one cause for each of the first
 * 20 bad lines, with its number. Awaits `pause` every few milliseconds, so that other requests are served.
 */
export async function parseImportLines(
  text: string,
  pause: () => Promise<unknown>,
): Promise<Result<readonly ImportRecord[], Failure>> {
  const records: ImportRecord[] = [];
  const causes: Issue[] = [];
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
    if (record.ok) records.push({ line, record: record.value });
    else causes.push(...record.failure.causes.map((cause) => onLine(line, record.failure, cause)));
    if (causes.length >= CAUSES_MAX) break;
  }
  return causes.length > 0 ? fail(mostSevereFailure(causes)) : ok(records);
}

function parseLine(text: string): Result<AccessModelRecord, Failure> {
  if (text.length > IMPORT_LINE_LENGTH_MAX)
    return fail(failure('LimitExceeded', '', `A line can have at most ${IMPORT_LINE_LENGTH_MAX} characters.`));
  const json = parseStrictJson(text);
  return json.ok ? validate(accessModelRecord, json.value, { abortEarly: true }) : json;
}

const onLine = (line: number, failure: Failure, cause: Cause): Issue => ({
  type: cause.type ?? failure.type,
  at: cause.at === '' ? `line ${line}` : `line ${line}: ${cause.at}`,
  text: cause.text,
});
