import { type ImportRecord, RECORD_TYPES, type RepeatedRecord } from './records.ts';
import { type LastRecords, recordKey } from './references.ts';

/** The most records that are named because several lines give them, so that findings of lint have room beside them. */
export const REPEATED_RECORDS_MAX = 20;

const LINES_MAX = 5;

/** The records that several lines of an import give, in the order of their first lines. */
export function findRepeatedRecords(records: readonly ImportRecord[], last: LastRecords): RepeatedRecord[] {
  if (last.inOrder.length === records.length) return [];
  const linesByKey = new Map<string, number[]>();
  const repeated: { readonly lines: readonly number[]; readonly effective: ImportRecord }[] = [];
  for (const { line, record } of records) {
    const key = recordKey(record);
    const lines = linesByKey.get(key);
    const effective = last.find(record.kind, record.id);
    if (lines === undefined) linesByKey.set(key, [line]);
    else if (lines.push(line) === 2 && effective !== undefined) repeated.push({ lines, effective });
  }
  repeated.sort((one, other) => (one.lines[0] ?? 0) - (other.lines[0] ?? 0));
  const more = repeated.length - REPEATED_RECORDS_MAX;
  return repeated.slice(0, REPEATED_RECORDS_MAX).map(({ effective, lines }, at) => {
    const isEnd = at === REPEATED_RECORDS_MAX - 1 && more > 0;
    return repeatedRecord(effective, lines, isEnd ? more : 0);
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
