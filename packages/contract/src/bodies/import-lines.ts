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
import { accessModelRecord, unknownProperties } from '../schemas/access-model.ts';
import { mostSevereFailure, validate } from '../validation/validate.ts';
import { linesOf } from './lines-of.ts';
import { parseStrictJson } from './strict-json.ts';

/** The longest line of which all faults are told: in a longer one they could be millions. */
const ALL_FAULTS_LENGTH_MAX = 64 * 1024;

/** Characters parsed between two pauses. */
const CHARACTERS_PER_SLICE = 100_000;

/**
 * Parses the lines of an import (NDJSON; blank lines and CRLF are accepted). A failure names all faults of each bad line, with its
 * number, up to 20 in all. Awaits `pause` every few milliseconds, so that other requests are served.
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
  return causes.length > 0 ? fail(mostSevereFailure(causes.slice(0, CAUSES_MAX))) : ok(records);
}

function parseLine(text: string): Result<AccessModelRecord, Failure> {
  if (text.length > IMPORT_LINE_LENGTH_MAX)
    return fail(failure('LimitExceeded', '', `A line can have at most ${IMPORT_LINE_LENGTH_MAX} characters.`));
  const json = parseStrictJson(text);
  if (!json.ok) return json;
  const record = validate(accessModelRecord, json.value, { abortEarly: text.length > ALL_FAULTS_LENGTH_MAX });
  return record.ok ? record : fail(withUnknownProperties(record.failure, json.value));
}

/** The faults of a record and each of its unknown properties, of which valibot names only the first. */
function withUnknownProperties(failed: Failure, value: unknown): Failure {
  const named = new Set(failed.causes.map(({ at }) => at));
  const missed = unknownProperties(Object(value)).filter((name) => !named.has(name));
  if (missed.length === 0) return failed;
  const text = 'unknown property: remove it';
  return mostSevereFailure([
    ...failed.causes.map((cause) => ({ type: cause.type ?? failed.type, at: cause.at, text: cause.text }) as Issue),
    ...missed.slice(0, CAUSES_MAX).map((at): Issue => ({ type: 'MalformedBody', at: at.slice(0, 64), text })),
  ]);
}

const onLine = (line: number, failure: Failure, cause: Cause): Issue => ({
  type: cause.type ?? failure.type,
  at: cause.at === '' ? `line ${line}` : `line ${line}: ${cause.at}`,
  text: cause.text,
});
