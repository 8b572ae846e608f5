import { type AuditHead, canonicalJson } from '@access-admin/domain';
import { CompactSign } from 'jose';
import { SIGNING_ALGORITHM, type SigningKeys } from '../auth/signing-keys.ts';

/** Signs the end of a tenant's log. */
export type SignHead = (tenant: string, head: AuditHead) => Promise<string>;

/** The `typ` of a signed head, so that it is not accepted as an access token. */
export const HEAD_TYPE = 'audit-head+json';

/** Signs the end of a log with this process's key, as a compact JWS over its canonical JSON. */
export function createHeadSigner({ current }: Pick<SigningKeys, 'current'>): SignHead {
  const { kid, privateKey } = current;
  return (tenant, { sequence, hash }) =>
    new CompactSign(new TextEncoder().encode(canonicalJson({ tenant, sequence, hash })))
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: HEAD_TYPE, kid })
      .sign(privateKey);
}
