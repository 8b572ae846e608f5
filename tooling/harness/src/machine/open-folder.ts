import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder. Disposing of it removes it with all its files. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

/** Creates an empty folder; its name begins with `access-admin-` and the purpose. */
export function openFolder(purpose: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), `access-admin-${purpose}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
