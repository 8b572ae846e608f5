import { hash } from 'node:crypto';

const PREFIX = 'aat_';

/** A static token: it names its client, by which its tenant is found. */
export const formatStaticToken = (clientId: string, secret: string): string =>
  `${PREFIX}${Buffer.from(clientId).toString('base64url')}.${secret}`;

/** The client and the secret of a static token; null for any other token. */
export function parseStaticToken(token: string): { readonly clientId: string; readonly secret: string } | null {
  const [, client, secret] = /^aat_([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  if (client === undefined || secret === undefined) return null;
  return { clientId: Buffer.from(client, 'base64url').toString(), secret };
}

/** How the secret is stored. It has 256 random bits, so that a fast hash is enough. */
export const hashStaticSecret = (secret: string): string => hash('sha256', secret);
