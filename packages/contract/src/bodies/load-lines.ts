import {
  type Failure,
  type LineFault,
  LOAD_FAULTS_MAX,
  type LoadPart,
  type LoadRecord,
  ok,
  type Result,
} from '@access-admin/domain';
import { loadRecord } from '../schemas/loads.ts';
import { eachLine, parseLineJson, validateLine } from './record-lines.ts';

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
  await eachLine(text, pause, (line, lineText) => {
    const json = parseLineJson(lineText);
    const record: Result<LoadRecord, Failure> = json.ok ? validateLine(loadRecord, json.value, lineText.length) : json;
    if (record.ok) records.push({ line, record: record.value });
    else if (++faultCount <= LOAD_FAULTS_MAX) faults.push({ line, text: textOf(record.failure) });
    return true;
  });
  return ok({ records, faults, faultCount });
}

const textOf = ({ causes }: Failure): string =>
  causes
    .slice(0, CAUSES_OF_LINE_MAX)
    .map(({ at, text }) => (at === '' ? text : `${at}: ${text}`))
    .join('; ');
