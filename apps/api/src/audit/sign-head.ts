import { AUDIT_HEAD_TYPE, type AuditLogHead, auditHeadText } from '@access-admin/domain';
import type { SignJson } from '../auth/sign-json.ts';

/** Signs the end of a tenant's log. */
export type SignHead = (tenant: string, head: AuditLogHead) => Promise<string>;

/** Signs the end of a log with this process's key, as a compact JWS over its canonical JSON. */
export const createHeadSigner =
  (signJson: SignJson): SignHead =>
  (tenant, head) =>
    signJson(AUDIT_HEAD_TYPE, auditHeadText(tenant, head));
