import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file of a folder of backups. */
export interface FoundBackup {
  readonly path: string;
  /** When it was written, since 1970. */
  readonly ms: number;
}

/** The latest whole backup of a folder, whatever has written it; null where there is none. */
export function findLastBackup(folder: string): FoundBackup | null {
  let last: FoundBackup | null = null;
  for (const entry of entriesOf(folder)) {
    // What is being written is no backup yet.
    if (!entry.isFile() || entry.name.endsWith('.part')) continue;
    const path = join(folder, entry.name);
    const ms = statSync(path).mtimeMs;
    if (last === null || ms > last.ms) last = { path, ms };
  }
  return last;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
