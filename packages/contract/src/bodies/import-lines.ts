import {
  type AccessModelRecord,
  CAUSES_MAX,
  type Cause,
  type Failure,
  fail,
  type ImportRecord,
  type Issue,
  ok,
  type Result,
} from '@access-admin/domain';
import { accessModelRecord, unknownProperties } from '../schemas/access-model.ts';
import { mostSevereFailure } from '../validation/validate.ts';
import { eachLine, parseLineJson, validateLine } from './record-lines.ts';

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
  await eachLine(text, pause, (line, lineText) => {
    const record = parseLine(lineText);
    if (record.ok) records.push({ line, record: record.value });
    else causes.push(...record.failure.causes.map((cause) => onLine(line, record.failure, cause)));
    return causes.length < CAUSES_MAX;
  });
  return causes.length > 0 ? fail(mostSevereFailure(causes.slice(0, CAUSES_MAX))) : ok(records);
}

function parseLine(text: string): Result<AccessModelRecord, Failure> {
  const json = parseLineJson(text);
  if (!json.ok) return json;
  const record = validateLine(accessModelRecord, json.value, text.length);
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
