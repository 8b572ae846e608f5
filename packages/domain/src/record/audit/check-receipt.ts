import type { TimedAccessRef } from '../../access/model/records.ts';
import { canonicalJson } from '../../basics/json/canonical.ts';
import type { Basis, IdentityWithNewAccess } from '../../predictions/check.ts';

/** What a receipt of a check attests. Hashes are SHA-256 over canonical JSON, in hexadecimal digits. */
export interface SodReceipt extends Basis {
  readonly tenant: string;
  readonly requestId: string;
  readonly identityId: string;
  /** Of the request in the form of `receiptRequest`. */
  readonly requestSha256: string;
  /** Of `violationCheckResult` as the read of the check shows it. */
  readonly resultSha256: string;
  /** The ids of all violated policies, in the order of the result. */
  readonly violatedPolicies: readonly string[];
}

/**
 * The canonical JSON of the request of a check: its body without names of access refs and without nulls, with instants in UTC
 * and milliseconds. `include` is no part of it.
 */
export function receiptRequest({ identityId, accessRefs, at, clientMetadata }: IdentityWithNewAccess): string {
  // In canonical order; `JSON.stringify` writes strings as canonical JSON does, in a third of the time.
  const instant = at === null || at === undefined ? '' : `,"at":${JSON.stringify(at)}`;
  const metadata = clientMetadata === null ? '' : `,"clientMetadata":${canonicalJson(clientMetadata)}`;
  return `{"accessRefs":${JSON.stringify(accessRefs.map(toShownRef))}${instant}${metadata},"identityId":${JSON.stringify(identityId)}}`;
}

const toShownRef = ({ type, id, start, end }: TimedAccessRef) => ({
  end: end ?? undefined,
  id,
  start: start ?? undefined,
  type,
});
