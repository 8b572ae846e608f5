import { StorageUnavailable } from './errors.ts';

/** Emits a warning for an error of background work, unless the storage is unavailable, which its callers report. */
export function warnOf(error: unknown): void {
  if (error instanceof StorageUnavailable) return;
  process.emitWarning(error instanceof Error ? error : String(error));
}
