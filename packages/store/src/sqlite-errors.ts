/** Whether another connection held what the statement needed: the same may succeed a moment later. */
export function isSqliteBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error));
}

/** Whether the file cannot be read or written now: disk full, I/O error, gone, read only. */
export function isSqliteAway(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
