import { hash } from 'node:crypto';
import type { AuditContext } from '@access-admin/domain';
import type { CredentialStore } from '@access-admin/store';
import { toBase32 } from './totp.ts';

const CODES = 10;
// 80 bits: a hash without salt withstands guessing.
const CODE_BYTES = 10;

/** Codes that replace another second factor, each once. */
export interface RecoveryCodes {
  /** Replaces all codes and returns the new ones, which are shown once; null if the identity or the used link is gone. */
  replace(auditContext: AuditContext, identityId: string, usedLink: string | null): Promise<readonly string[] | null>;
  /** Whether a code is right, and uses it up. */
  verify(tenant: string, identityId: string, code: string): Promise<boolean>;
}

interface RecoveryCodeDeps {
  readonly credentials: Pick<CredentialStore, 'setRecoveryCodes' | 'useRecoveryCode'>;
  readonly newBytes: (count: number) => Uint8Array;
}

export const createRecoveryCodes = ({ credentials, newBytes }: RecoveryCodeDeps): RecoveryCodes => ({
  replace: async (auditContext, identityId, usedLink) => {
    const codes = Array.from({ length: CODES }, () => toBase32(newBytes(CODE_BYTES)).toLowerCase());
    const hashes = codes.map(hashOf);
    const stored = await credentials.setRecoveryCodes(auditContext, identityId, { hashes, link: null, usedLink });
    return stored === 'STORED' ? codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code) : null;
  },
  verify: async (tenant, identityId, code) => {
    const typed = code.replace(/[\s-]/g, '').toLowerCase();
    // Found by its hash, so that the time of the comparison tells nothing of the code.
    return /^[a-z2-7]{16}$/.test(typed) && credentials.useRecoveryCode(tenant, identityId, hashOf(typed));
  },
});

const hashOf = (code: string): string => hash('sha256', code);
