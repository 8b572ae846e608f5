import type { StorageState } from './retry.ts';

/** Busy: another connection holds what the statement needs. Away: the file cannot be read or written now: disk full, I/O error, gone, read only. */
export function sqliteStateOf(error: unknown): StorageState {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return 'passing';
  return /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(code) ? 'away' : 'other';
}
