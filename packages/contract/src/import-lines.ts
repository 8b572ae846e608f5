import {
  type AccessModelRecord,
  CAUSES_MAX,
  type Cause,
  type Failure,
  type Fault,
  fail,
  type ImportRecord,
  ok,
  type Result,
} from '@access-admin/domain';
import { accessModelRecord } from './schemas/access-model.ts';
import { parseStrictJson } from './strict-json.ts';
import { gravestFailure, validate } from './validate.ts';

/** Reads the lines of an import (NDJSON; blank lines and CRLF are fine). Causes name line numbers, the first 20. */
export function parseImportLines(text: string): Result<readonly ImportRecord[], Failure> {
  const records: ImportRecord[] = [];
  const causes: Fault[] = [];
  let line = 0;
  for (const lineText of linesOf(text)) {
    line++;
    if (lineText.trim() === '') continue;
    const record = parseLine(lineText);
    if (record.ok) records.push({ line, record: record.value });
    else causes.push(...record.failure.causes.map((cause) => onLine(line, record.failure, cause)));
    if (causes.length >= CAUSES_MAX) break;
  }
  return causes.length > 0 ? fail(gravestFailure(causes.slice(0, CAUSES_MAX))) : ok(records);
}

function parseLine(text: string): Result<AccessModelRecord, Failure> {
  const json = parseStrictJson(text);
  return json.ok ? validate(accessModelRecord, json.value) : json;
}

const onLine = (line: number, failure: Failure, cause: Cause): Fault => ({
  type: cause.type ?? failure.type,
  at: cause.at === '' ? `line ${line}` : `line ${line}: ${cause.at}`,
  text: cause.text,
});

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? text.length : end);
    start = end === -1 ? text.length : end + 1;
  }
}
