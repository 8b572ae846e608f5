import { checkJson, ok, type Result } from '@access-admin/domain';
import type { StoredCheck } from '@access-admin/store';
import type { ApiFailure } from '../../http/problem.ts';
import type { LongText } from '../../streaming/stream-json.ts';
import type { CheckResults } from './results.ts';

/** A check to be sent. */
export interface CheckToSend {
  readonly tenant: string;
  readonly check: StoredCheck;
  /** Whether the answer has a body. */
  readonly hasBody: boolean;
}

/** The JSON text of a check, with its result as it is stored; null for a large one that is not sent. */
export type CheckText = string | LongText | null;

/** Reads the text of a check. A large result holds memory until it is sent. */
export async function readCheckText(
  results: CheckResults,
  { tenant, check, hasBody }: CheckToSend,
): Promise<Result<CheckText, ApiFailure>> {
  if (check.result !== null || check.resultBytes === 0) return ok([...checkJson(check)].join(''));
  if (!hasBody) return ok(null);
  const held = results.hold(tenant, check);
  let isHeld = false;
  try {
    const text = await held.text;
    if (!text.ok) return text;
    isHeld = true;
    return ok({ pieces: checkJson({ ...check, result: text.value }), release: held.release });
  } finally {
    if (!isHeld) held.release();
  }
}
