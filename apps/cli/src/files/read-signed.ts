import type { verifyAuditHead, verifyReceipt } from '@access-admin/client';
import { readJson } from './read-text.ts';

type Expected = Parameters<typeof verifyReceipt>[1];

/** Reads a saved head of the audit log, which is verified next. Throws as `readJson` does. */
export const readSignedHead = (path: string) => readJson(path) as Parameters<typeof verifyAuditHead>[0];

/** Reads the body that started a check, with which its receipt is compared. Throws as `readJson` does. */
export const readCheckRequest = (path: string) => readJson(path) as Expected['request'];

/** Reads a saved check, with which its receipt is compared, and the request that it shows. Throws as `readJson` does. */
export function readCheck(path: string): Pick<Expected, 'check' | 'request'> {
  const { request, ...check } = Object(readJson(path));
  return { check, request };
}
