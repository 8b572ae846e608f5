import { createHash } from 'node:crypto';
import { type Caller, hasWindow, type IdentityWithNewAccess, type SodInclude } from '@access-admin/domain';

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
