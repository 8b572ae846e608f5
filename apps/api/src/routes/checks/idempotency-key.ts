import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@access-admin/contract';
import {
  type Caller,
  type Failure,
  fail,
  failure,
  hasWindow,
  type IdentityWithNewAccess,
  ok,
  type Result,
  type SodInclude,
} from '@access-admin/domain';

const VISIBLE = /^[!-~]+$/;

/** Parses an `Idempotency-Key`: 1 to 255 visible ASCII characters; null without one. */
export function parseIdempotencyKey(header: string | undefined): Result<string | null, Failure> {
  if (header === undefined) return ok(null);
  return VISIBLE.test(header) && header.length <= IDEMPOTENCY_KEY_LENGTH_MAX
    ? ok(header)
    : fail(
        failure(
          'IllegalValue',
          'Idempotency-Key',
          `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`,
        ),
      );
}

/** The id of a check that is requested with a key: the same for the same request, different for any other. A UUID of version 8. */
export function checkIdOf(
  key: string,
  { tenant, clientId }: Caller,
  request: IdentityWithNewAccess & { readonly includes: readonly SodInclude[] },
): string {
  const { identityId, accessRefs, clientMetadata, includes, at } = request;
  const refs = accessRefs.map((ref) => [
    ref.type,
    ref.id,
    ...(hasWindow(ref) ? [ref.start ?? null, ref.end ?? null] : []),
  ]);
  const metadata = clientMetadata === null ? null : Object.entries(clientMetadata).sort();
  // Includes and instants count only if given: a request without them keeps the id of earlier versions.
  const rest = [...(includes.length === 0 ? [] : [includes]), ...(typeof at === 'string' ? [at] : [])];
  const asked = JSON.stringify([tenant, clientId, key, identityId, refs, metadata, ...rest]);
  const bytes = createHash('sha256').update(asked).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
