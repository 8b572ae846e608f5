import { checkJson, ok, type Result } from '@access-admin/domain';
import type { StoredCheck } from '@access-admin/store';
import { piecesOf as cut } from '../../http/pieces.ts';
import type { ApiFailure } from '../../http/problem.ts';
import { withOnEnd } from '../../http/with-on-end.ts';
import type { CheckResults } from './results.ts';

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

/** Answers with checks. Large results hold memory until they are sent. */
export type AnswerCheck = (toSend: CheckToSend) => Promise<Result<CheckText, ApiFailure>>;

export const createAnswerCheck =
  (results: CheckResults): AnswerCheck =>
  async ({ tenant, check, hasBody, left }) => {
    if (check.result !== null || check.resultBytes === 0) return ok([...checkJson(check)].join(''));
    if (!hasBody) return ok(NO_PIECES);
    const held = results.hold(tenant, check);
    try {
      const text = await held.text;
      if (text.ok) return ok(withOnEnd(piecesOf(checkJson({ ...check, result: text.value })), left, held.release));
      held.release();
      return text;
    } catch (error) {
      held.release();
      throw error;
    }
  };

const NO_PIECES: AsyncIterable<string> = piecesOf([]);

async function* piecesOf(texts: Iterable<string>): AsyncGenerator<string> {
  for (const text of texts) yield* cut(text);
}
