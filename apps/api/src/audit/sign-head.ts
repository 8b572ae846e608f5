import { type AuditHead, canonicalJson } from '@access-admin/domain';
import { CompactSign } from 'jose';
import { SIGNING_ALGORITHM, type SigningKeys } from '../auth/signing-keys.ts';

/** Signs, for a tenant, where its log ends. */
export type SignHead = (tenant: string, head: AuditHead) => Promise<string>;

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
