import { type ImportRecord, RECORD_TYPES, type RepeatedRecord } from './records.ts';
import { type LastByKey, recordKey } from './references.ts';

/** The most records that are named because several lines give them, so that findings of lint have room beside them. */
export const REPEATED_RECORDS_MAX = 20;

const LINES_MAX = 5;

/** The records that several lines of an import give, in the order of their first lines. */
export function findRepeatedRecords(records: readonly ImportRecord[], lastByKey: LastByKey): RepeatedRecord[] {
  if (lastByKey.size === records.length) return [];
  const linesByKey = new Map<string, number[]>();
  for (const { line, record } of records) {
    const key = recordKey(record);
    const lines = linesByKey.get(key);
    if (lines === undefined) linesByKey.set(key, [line]);
    else lines.push(line);
  }
  const repeated = [...linesByKey].filter(([, lines]) => lines.length > 1);
  const more = repeated.length - REPEATED_RECORDS_MAX;
  return repeated.slice(0, REPEATED_RECORDS_MAX).flatMap(([key, lines], at) => {
    const last = lastByKey.get(key);
    const isEnd = at === REPEATED_RECORDS_MAX - 1 && more > 0;
    return last === undefined ? [] : [repeatedRecord(last, lines, isEnd ? more : 0)];
  });
}

function repeatedRecord({ line, record: { kind, id } }: ImportRecord, lines: readonly number[], more: number) {
  const named = lines.slice(0, LINES_MAX).join(', ');
  const others = lines.length > LINES_MAX ? ` and ${lines.length - LINES_MAX} more` : '';
  const rest = more > 0 ? ` The import repeats ${more} more records.` : '';
  return {
    code: 'REPEATED_RECORD',
    severity: 'WARNING',
    policyId: kind === 'sodPolicy' ? id : null,
    ref: { type: RECORD_TYPES[kind], id },
    related: [],
    text: `Lines ${named}${others} give the same ${kind} ${id}: only line ${line}, the last, counts.${rest}`,
  } as const satisfies RepeatedRecord;
}
