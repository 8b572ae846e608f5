import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEvent, AuditLogHead } from '@access-admin/domain';

/** A file of an archive, and what it is of. */
export interface Archived {
  readonly head: AuditLogHead;
  readonly count: number;
}

export interface ArchiveOptions {
  readonly folder: string;
  readonly tenant: string;
  /** The beginning of the log. */
  readonly start: Pick<AuditLogHead, 'firstSequence' | 'previousHash'>;
  /** Signs the end of the file. */
  readonly sign: (tenant: string, head: AuditLogHead) => Promise<string>;
  /** Called between two pieces. */
  readonly pause: () => Promise<void> | undefined;
}

const LENGTH_AT_ONCE = 256 * 1024;
const SEQUENCE_DIGITS = 12;

/**
 * Writes events to a file of their tenant's folder, and its signed head beside it, named by their first and last sequence. Both are
 * on the disk when it resolves; a file that is there already is replaced. Rejects, and leaves no part of a file, where the folder
 * is missing, full or read-only. Null for no events.
 */
export async function archiveEvents(
  events: AsyncIterable<AuditEvent>,
  { folder, tenant, start, sign, pause }: ArchiveOptions,
): Promise<Archived | null> {
  const own = join(folder, tenant);
  if (await mkdir(own, { mode: 0o700 }).then(isTrue, isThereAlready)) await syncFolder(folder);
  const parts = await mkdtemp(join(own, 'part-'));
  const part = join(parts, 'written');
  try {
    const written = await writeLines(part, events, pause);
    if (written === null) return null;
    const { sequence, hash } = written.last;
    const head = { sequence, hash, ...start };
    const signature = await sign(tenant, head);
    const name = join(own, `${padded(start.firstSequence)}-${padded(sequence)}`);
    await rename(part, `${name}.ndjson`);
    await writeWhole(part, JSON.stringify({ ...head, signature }));
    await rename(part, `${name}.head.json`);
    await syncFolder(own);
    return { head, count: written.count };
  } finally {
    await rm(parts, { recursive: true });
  }
}

const padded = (sequence: number): string => String(sequence).padStart(SEQUENCE_DIGITS, '0');

const isTrue = (): boolean => true;

function isThereAlready(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
  throw error;
}

async function writeLines(path: string, events: AsyncIterable<AuditEvent>, pause: ArchiveOptions['pause']) {
  await using file = await open(path, 'wx', 0o600);
  let text = '';
  let last: AuditEvent | null = null;
  let count = 0;
  for await (const event of events) {
    text += `${JSON.stringify(event)}\n`;
    last = event;
    count += 1;
    if (text.length < LENGTH_AT_ONCE) continue;
    await file.appendFile(text);
    text = '';
    await pause();
  }
  await file.appendFile(text);
  await file.sync();
  return last === null ? null : { last, count };
}

async function writeWhole(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.appendFile(text);
  await file.sync();
}

/** A new name is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}
