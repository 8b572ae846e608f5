import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'secret-key';

/** The key in a folder; null when there is none. */
export async function readKeyFile(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, NAME), 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Makes a key in a folder, readable by its owner only. When processes race, all get the key of the first. */
export async function createKeyFile(folder: string): Promise<string> {
  const place = join(folder, NAME);
  const draft = `${place}.${process.pid}.${randomBytes(6).toString('hex')}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true, flag: 'wx' });
  try {
    // Unlike a rename, a link does not replace the key of another process.
    await link(draft, place);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKeyFile(folder);
  if (key === null) throw new Error(`The key in ${place} was removed while it was made.`);
  return key;
}
