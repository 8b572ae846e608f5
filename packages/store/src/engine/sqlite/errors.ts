import type { StorageState } from '../retry.ts';

/** Whether a commit was written but not synced, so that it may still appear after a crash. */
export const isSyncFailure = (error: unknown): boolean => /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(codeOf(error));

/** `passing`: another connection holds a lock. `full`: the disk is. `away`: the file cannot be read or written now (I/O error, missing, read only). */
export function sqliteStateOf(error: unknown): StorageState {
  const code = codeOf(error);
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return 'passing';
  if (code === 'SQLITE_FULL') return 'full';
  return /^SQLITE_(IOERR|CANTOPEN|READONLY)/.test(code) ? 'away' : 'other';
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
