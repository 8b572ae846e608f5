import { StorageUnavailable } from './errors.ts';

/** For work that nobody waits for: what fails there is told, unless it is the storage, whose users tell. */
export function warnOf(error: unknown): void {
  if (error instanceof StorageUnavailable) return;
  process.emitWarning(error instanceof Error ? error : String(error));
}
