import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import { PREDICT_BATCH_MAX } from '../limits.ts';
import { linesOf } from './lines-of.ts';

/**
 * Splits a batch into its requests, one per line, without parsing them; blank lines are skipped. `LimitExceeded` for
 * more than 1,000.
 */
export function parseBatchLines(text: string): Result<readonly string[], Failure> {
  const requests: string[] = [];
  for (const line of linesOf(text)) {
    if (line.trim() === '') continue;
    if (requests.length === PREDICT_BATCH_MAX)
      return fail(failure('LimitExceeded', '', `must have at most ${PREDICT_BATCH_MAX} requests`));
    requests.push(line);
  }
  return ok(requests);
}
