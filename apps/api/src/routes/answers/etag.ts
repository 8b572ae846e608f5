import { hash } from 'node:crypto';
import { fail, ok, type Result } from '@access-admin/domain';
import type { HttpFailure } from '../../http/problem.ts';

/** The strong ETag of a representation: equal bytes, equal tag. */
export const etagOf = (resource: unknown): string =>
  `"${hash('sha256', JSON.stringify(resource), 'base64url').slice(0, 27)}"`;

/** Whether `If-Match` names a version. It does not with `*`, which every version matches. */
export const namesVersion = (header: string | undefined): boolean => header !== undefined && header.trim() !== '*';

/**
 * Succeeds without `If-Match`, with `*`, or with a list that contains the resource's tag. A weak tag counts as the strong one:
 * proxies that compress an answer make its tag weak.
 */
export function checkIfMatch(
  header: string | undefined,
  etag: string,
): Result<null, Extract<HttpFailure, { type: 'PreconditionFailed' }>> {
  if (header === undefined || header.trim() === '*') return ok(null);
  if (header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return ok(null);
  return fail({ type: 'PreconditionFailed', causes: [] });
}

/** Succeeds where the request names no policy-set version, or the present one. */
export function checkPolicySetVersion(
  named: number | null,
  present: number,
): Result<null, Extract<HttpFailure, { type: 'PreconditionFailed' }>> {
  if (named === null || named === present) return ok(null);
  const causes = [{ at: 'ifPolicySetVersion', text: `the present policy-set version is ${present}` }];
  return fail({ type: 'PreconditionFailed', causes });
}
