import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BootstrapCredentials, KeptCredentials } from './bootstrap-client.ts';

/**
 * Keeps credentials in `bootstrap-client.json` of the folder, readable by its owner only, and prints them once. If the file
 * exists, for another store, it stays, and the name of the new one contains the client's id. No file is overwritten: with a
 * given id, several stores or processes generate several secrets.
 */
export const keepCredentials =
  (folder: string) =>
  async (credentials: BootstrapCredentials): Promise<KeptCredentials> => {
    const { tenant, clientId, clientSecret } = credentials;
    const place = join(folder, 'bootstrap-client.json');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = await writeToNewFile(
      (number) => join(folder, `bootstrap-client.${clientId}${number === 1 ? '' : `.${number}`}.json`),
      `${JSON.stringify(credentials, null, 2)}\n`,
    );
    return {
      confirm: async () => {
        // Unlike a rename, a link does not replace the file of a store that was created at the same time.
        const isPlaced = await link(draft, place).then(
          () => true,
          () => false,
        );
        if (isPlaced) await rm(draft);
        process.stdout.write(
          `Bootstrap client of tenant ${tenant}, shown this once and kept in ${isPlaced ? place : draft}:\n  id      ${clientId}\n  secret  ${clientSecret}\n`,
        );
      },
      discard: () => rm(draft, { force: true }),
    };
  };

async function writeToNewFile(pathOf: (number: number) => string, text: string): Promise<string> {
  for (let number = 1; ; number++) {
    const path = pathOf(number);
    try {
      await writeFile(path, text, { mode: 0o600, flush: true, flag: 'wx' });
      return path;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
