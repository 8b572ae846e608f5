import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from './local-client.ts';

/** Credentials that the store may know. `file` is null for those of the environment. */
export interface KnownClient extends Credentials {
  readonly tenant: string | null;
  readonly file: string | null;
}

const FILE_NAME = /^bootstrap-client(\..+)?\.json$/;
/** Each store that was ever used from this folder may have left a file; the newest ones are tried. */
const FILES_MAX = 20;

/**
 * The credentials that the store may know, in the order to try them: those of the environment, then those of the files that
 * the API wrote at the first start of each store, newest first.
 */
export function readKnownClients(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): readonly KnownClient[] {
  const clientId = env['BOOTSTRAP_CLIENT_ID'];
  const clientSecret = env['BOOTSTRAP_CLIENT_SECRET'];
  const given = clientId && clientSecret ? [{ clientId, clientSecret, tenant: env['TENANT'] || null, file: null }] : [];
  return [...given, ...listFiles(folder).slice(0, FILES_MAX).flatMap(readClient)];
}

/** Writes the new secret of a client into the file that keeps its old one. Returns the path; null where no file does. */
export function replaceKeptSecret(
  folder: string,
  credentials: Credentials & { readonly tenant: string },
): string | null {
  const file = listFiles(folder).find((path) => readClient(path).some(isOf(credentials)));
  if (file === undefined) return null;
  const { tenant, clientId, clientSecret } = credentials;
  const draft = `${file}.${process.pid}.part`;
  writeFileSync(draft, `${JSON.stringify({ clientId, clientSecret, tenant }, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(draft, file);
  return file;
}

const isOf =
  ({ clientId, tenant }: Pick<KnownClient, 'clientId' | 'tenant'>) =>
  (client: KnownClient): boolean =>
    client.clientId === clientId && (client.tenant ?? tenant) === tenant;

function listFiles(folder: string): readonly string[] {
  const kept = join(folder, 'var');
  try {
    return readdirSync(kept)
      .filter((name) => FILE_NAME.test(name))
      .map((name) => ({ path: join(kept, name), changedMs: statSync(join(kept, name)).mtimeMs }))
      .sort((one, other) => other.changedMs - one.changedMs)
      .map(({ path }) => path);
  } catch {
    return [];
  }
}

function readClient(file: string): readonly KnownClient[] {
  try {
    const { clientId, clientSecret, tenant } = JSON.parse(readFileSync(file, 'utf8'));
    return clientId && clientSecret ? [{ clientId, clientSecret, tenant: tenant ?? null, file }] : [];
  } catch {
    return [];
  }
}
