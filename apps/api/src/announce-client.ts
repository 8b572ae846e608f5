import { mkdir, writeFile } from 'node:fs/promises';
import type { BootstrapCredentials } from './bootstrap-client.ts';

/** Where generated credentials are kept, relative to the working directory. */
export const CREDENTIALS_FILE = 'var/bootstrap-client.json';

/** Keeps the credentials in a file that only its owner can read, and prints them once. */
export async function announceClient(credentials: BootstrapCredentials): Promise<void> {
  await mkdir('var', { recursive: true, mode: 0o700 });
  await writeFile(CREDENTIALS_FILE, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  const { tenant, clientId, clientSecret } = credentials;
  process.stdout.write(
    `Bootstrap client of tenant ${tenant}, shown this once and kept in ${CREDENTIALS_FILE}:\n  id      ${clientId}\n  secret  ${clientSecret}\n`,
  );
}
