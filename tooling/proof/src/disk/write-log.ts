import { readFileSync } from 'node:fs';

/** A change of a file of the recorded directory; `.` is the directory itself. */
export interface LoggedCall {
  readonly kind: 'create' | 'unlink' | 'write' | 'truncate' | 'sync';
  readonly name: string;
  /** Where a write begins, or the size after a truncation. */
  readonly place: number;
  readonly data: Buffer;
}

const KINDS: Readonly<Record<string, LoggedCall['kind']>> = {
  c: 'create',
  u: 'unlink',
  w: 'write',
  t: 'truncate',
  s: 'sync',
};
const HEADER_BYTES = 14;

/** Reads the record of storage-faults.c. */
export function readWriteLog(path: string): readonly LoggedCall[] {
  const log = readFileSync(path);
  const calls: LoggedCall[] = [];
  for (let at = 0; at < log.length; ) {
    const kind = KINDS[String.fromCharCode(log.readUInt8(at))];
    if (kind === undefined) throw new Error(`The record of the writes is invalid at ${at}.`);
    const nameEnd = at + HEADER_BYTES + log.readUInt8(at + 1);
    const end = nameEnd + log.readUInt32LE(at + 2);
    calls.push({
      kind,
      name: log.toString('utf8', at + HEADER_BYTES, nameEnd),
      place: Number(log.readBigUInt64LE(at + 6)),
      data: log.subarray(nameEnd, end),
    });
    at = end;
  }
  return calls;
}
