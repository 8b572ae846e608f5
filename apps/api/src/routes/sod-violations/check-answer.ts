import { ok, type Result } from '@access-admin/domain';
import type { StoredCheck } from '@access-admin/store';
import { piecesOf as cut } from '../../http/pieces.ts';
import type { ApiFailure } from '../../http/problem.ts';
import { withOnEnd } from '../../http/with-on-end.ts';
import type { CheckResults } from './check-results.ts';

/** A check to be sent. */
export interface CheckToSend {
  readonly tenant: string;
  readonly check: StoredCheck;
  /** Whether the answer has a body: the pieces of one to HEAD are never taken. */
  readonly hasBody: boolean;
  /** Aborted when the exchange has ended. */
  readonly left: AbortSignal;
}

/** The JSON text of a check, with its result as it is stored. */
export type CheckText = string | AsyncIterable<string>;

/** Answers with checks. Large results keep their room until they are sent. */
export type AnswerCheck = (toSend: CheckToSend) => Promise<Result<CheckText, ApiFailure>>;

export const createAnswerCheck =
  (results: CheckResults): AnswerCheck =>
  async ({ tenant, check, hasBody, left }) => {
    const opening = openingOf(check);
    if (check.result !== null) return ok(`${opening}${withCounts(check.result)}}`);
    if (check.resultBytes === 0) return ok(`${opening}null}`);
    if (!hasBody) return ok(NO_PIECES);
    const held = results.hold(tenant, check);
    try {
      const text = await held.text;
      if (text.ok) return ok(withOnEnd(piecesOf([opening, ...countedParts(text.value), '}']), left, held.release));
      held.release();
      return text;
    } catch (error) {
      held.release();
      throw error;
    }
  };

const NO_PIECES: AsyncIterable<string> = piecesOf([]);

/** The JSON text of a check up to the value of `violationCheckResult`, its last property. */
function openingOf({ requestId, created, state, completed }: StoredCheck): string {
  const json = JSON.stringify({ requestId, created, state, completed });
  return `${json.slice(0, -1)},"violationCheckResult":`;
}

// As names with these values, both can be in no text: there, quotes are escaped. The values of client metadata are texts.
const COUNT = '"violationCount":';
const CONTEXT = '"conflictingAccessCriteria":{';

/** A stored result, in parts. Results of earlier versions have all their violations, but not their number. */
function countedParts(result: string): readonly string[] {
  if (!result.startsWith('{"') || hasCount(result)) return [result];
  let count = 0;
  for (let at = result.indexOf(CONTEXT); at >= 0; at = result.indexOf(CONTEXT, at + 1)) count += 1;
  return [`{"violationCount":${count},"omitted":0,`, result.slice(1)];
}

/** Looks from the end, because counts come after violations. */
function hasCount(result: string): boolean {
  for (let at = result.length; at > 0; ) {
    at = result.lastIndexOf(COUNT, at - 1);
    if (at >= 0 && /\d/.test(result.charAt(at + COUNT.length))) return true;
  }
  return false;
}

export const withCounts = (result: string): string => countedParts(result).join('');

async function* piecesOf(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield* cut(text);
}
