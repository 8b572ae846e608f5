import type { SodViolation } from '@access-admin/domain';
import { etagOf } from '../answers/etag.ts';

/** The ETag of a violation, which is the same for as long as only `lastEvaluatedDate` changes. */
export function violationEtag({ lastEvaluatedDate: _, ...violation }: SodViolation): string {
  return etagOf(violation);
}
