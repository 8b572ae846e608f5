import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BootstrapCredentials, KeptCredentials } from './bootstrap-client.ts';

/**
 * Keeps credentials in `bootstrap-client.json` of the folder, readable by its owner only, and prints them once. If the file
 * exists, for another store, it stays, and the name of the new one contains the client's id.
 */
export const keepCredentials =
  (folder: string) =>
  async (credentials: BootstrapCredentials): Promise<KeptCredentials> => {
    const { tenant, clientId, clientSecret } = credentials;
    const place = join(folder, 'bootstrap-client.json');
    const draft = join(folder, `bootstrap-client.${clientId}.json`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rm(draft, { force: true });
    await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flush: true });
    return {
      confirm: async () => {
        const isTaken = await access(place).then(
          () => true,
          () => false,
        );
        if (!isTaken) await rename(draft, place);
        process.stdout.write(
          `Bootstrap client of tenant ${tenant}, shown this once and kept in ${isTaken ? draft : place}:\n  id      ${clientId}\n  secret  ${clientSecret}\n`,
        );
      },
      discard: () => rm(draft, { force: true }),
    };
  };
