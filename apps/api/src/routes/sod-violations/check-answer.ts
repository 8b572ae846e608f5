import { LARGE_RESULTS_BYTES_MAX } from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import type { CheckQueue, StoredCheck } from '@access-admin/store';
import type { Exchange } from '../../http/exchange.ts';
import { withOnEnd } from '../../http/with-on-end.ts';
import type { ApiFailure } from '../../operations/problem.ts';
import { createSharedRoom, type RoomShare } from '../../rooms/shared-room.ts';
import type { RoomMetrics } from '../../telemetry/room-metrics.ts';
import { roomFull } from '../answers/room-full.ts';

/** A check to be sent. */
export interface CheckToSend {
  readonly tenant: string;
  readonly check: StoredCheck;
  readonly exchange: Pick<Exchange, 'method' | 'signal'>;
}

/** The JSON text of a check, with its result as it is stored. */
export type CheckText = string | AsyncIterable<string>;

/** Answers with checks. Large results take room that the tenants share until they are sent. */
export type AnswerCheck = (toSend: CheckToSend) => Promise<Result<CheckText, ApiFailure>>;

interface SharedResult {
  /** Once it has room. */
  readonly text: Promise<Result<string, ApiFailure>>;
  readonly share: RoomShare;
  answers: number;
}

export interface AnswerCheckDeps extends Pick<CheckQueue, 'readResult'> {
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly metrics: RoomMetrics;
  readonly bytesMax?: number;
}

const WAITING_MAX = 1_000;
const WAIT_MS_MAX = 10_000;
const RESULTS_FULL = 'The tenant has too many results of checks under way: take them first.';

export function createAnswerCheck({
  readResult,
  elapsed,
  metrics,
  bytesMax = LARGE_RESULTS_BYTES_MAX,
}: AnswerCheckDeps): AnswerCheck {
  const options = { size: bytesMax, waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX, elapsed };
  const room = metrics.addRoom('results', createSharedRoom(options));
  // All answers with the same result share its text and its room.
  const held = new Map<string, SharedResult>();

  const open = (tenant: string, { requestId, resultBytes }: StoredCheck): SharedResult => {
    const share = room.open(tenant);
    const read = async (): Promise<Result<string, ApiFailure>> => {
      const taken = await share.take(resultBytes);
      if (!taken.ok) return fail(roomFull(taken.failure, RESULTS_FULL));
      return ok((await readResult(tenant, requestId)) ?? 'null');
    };
    return { text: read(), share, answers: 0 };
  };
  const take = (key: string, { tenant, check }: CheckToSend): { readonly shared: SharedResult; release(): void } => {
    const shared = held.get(key) ?? open(tenant, check);
    held.set(key, shared);
    shared.answers += 1;
    const release = () => {
      shared.answers -= 1;
      if (shared.answers > 0) return;
      if (held.get(key) === shared) held.delete(key);
      shared.share.release();
    };
    return { shared, release };
  };

  return async (toSend) => {
    const { tenant, check, exchange } = toSend;
    const opening = openingOf(check);
    if (check.result !== null) return ok(`${opening}${withCounts(check.result)}}`);
    if (check.resultBytes === 0) return ok(`${opening}null}`);
    // The pieces of an answer to HEAD are never taken.
    if (exchange.method === 'HEAD') return ok(NO_PIECES);
    const { shared, release } = take(`${tenant} ${check.requestId}`, toSend);
    try {
      const text = await shared.text;
      if (text.ok)
        return ok(withOnEnd(piecesOf([opening, ...countedParts(text.value), '}']), exchange.signal(), release));
      release();
      return text;
    } catch (error) {
      release();
      throw error;
    }
  };
}

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

const withCounts = (result: string): string => countedParts(result).join('');

const CHUNK_LENGTH = 65_536;

/** The pieces of texts. None ends between the two halves of a character. */
async function* piecesOf(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) {
    for (let from = 0; from < text.length; ) {
      const to = from + CHUNK_LENGTH;
      const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to;
      yield text.slice(from, end);
      from = end;
    }
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
