import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder } from './memory-folder.ts';

/** A temporary folder. Disposing of it removes it with all its files. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

/** Creates an empty folder, in memory if that is requested and has room; its name begins with `access-admin-` and the purpose. */
export function openFolder(purpose: string, { inMemory = false } = {}): TemporaryFolder {
  const parent = (inMemory ? memoryFolder() : null) ?? tmpdir();
  const path = mkdtempSync(join(parent, `access-admin-${purpose}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
