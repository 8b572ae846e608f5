import { type AuditHead, canonicalJson } from '@access-admin/domain';
import type { SignJson } from '../auth/sign-json.ts';

/** Signs the end of a tenant's log. */
export type SignHead = (tenant: string, head: AuditHead) => Promise<string>;

/** The `typ` of a signed head, so that it is not accepted as an access token. */
export const HEAD_TYPE = 'audit-head+json';

/** Signs the end of a log with this process's key, as a compact JWS over its canonical JSON. */
export const createHeadSigner =
  (signJson: SignJson): SignHead =>
  (tenant, { sequence, hash }) =>
    signJson(HEAD_TYPE, canonicalJson({ tenant, sequence, hash }));
