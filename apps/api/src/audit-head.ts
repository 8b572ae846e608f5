import { canonicalJson } from '@access-admin/domain';
import { CompactSign } from 'jose';
import type { SignHead } from './routes/audit-events.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** Of the header of a signed head: nobody takes it for an access token. */
export const HEAD_TYPE = 'audit-head+json';

/** Signs the end of a log with this process's key, as a compact JWS over its canonical JSON. */
export function createHeadSigner({ current }: Pick<SigningKeys, 'current'>): SignHead {
  const { kid, privateKey } = current;
  return (tenant, { sequence, hash }) =>
    new CompactSign(new TextEncoder().encode(canonicalJson({ tenant, sequence, hash })))
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: HEAD_TYPE, kid })
      .sign(privateKey);
}
