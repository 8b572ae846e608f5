import type { CheckQueue, StoredCheck } from '@access-admin/store';

/** The JSON text of a check up to the value of `violationCheckResult`, its last property. */
export function checkOpening({ requestId, created, state, completed }: StoredCheck): string {
  const json = JSON.stringify({ requestId, created, state, completed });
  return `${json.slice(0, -1)},"violationCheckResult":`;
}

/** Answers with results that are too large to be read together with their checks. */
export interface LargeResults {
  /** The check as JSON text in pieces. The result is read when the first piece is taken. */
  answer(tenant: string, check: StoredCheck): AsyncIterable<string>;
}

/** The results that are held in memory at the same time; each is shared by all answers that send it. */
const RESULTS_MAX = 3;
const PIECE_LENGTH = 65_536;

interface SharedResult {
  readonly text: Promise<string>;
  answers: number;
}

export function createLargeResults({ readResult }: Pick<CheckQueue, 'readResult'>): LargeResults {
  const held = new Map<string, SharedResult>();
  const waiting: (() => void)[] = [];

  const take = async (tenant: string, requestId: string): Promise<SharedResult> => {
    const key = `${tenant} ${requestId}`;
    for (;;) {
      const shared = held.get(key) ?? (held.size < RESULTS_MAX ? open(key, { tenant, requestId }) : undefined);
      if (shared !== undefined) {
        shared.answers += 1;
        return shared;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const open = (key: string, { tenant, requestId }: { readonly tenant: string; readonly requestId: string }) => {
    const text = readResult(tenant, requestId).then((result) => result ?? 'null');
    text.catch(() => {});
    const shared: SharedResult = { text, answers: 0 };
    held.set(key, shared);
    return shared;
  };
  const release = (key: string, shared: SharedResult) => {
    shared.answers -= 1;
    if (shared.answers > 0) return;
    held.delete(key);
    for (const resume of waiting.splice(0)) resume();
  };

  return {
    async *answer(tenant, check) {
      const shared = await take(tenant, check.requestId);
      try {
        yield checkOpening(check);
        yield* piecesOf(await shared.text);
        yield '}';
      } finally {
        release(`${tenant} ${check.requestId}`, shared);
      }
    },
  };
}

/** Pieces of a text, none of which ends between the two halves of a character. */
export function* piecesOf(text: string, length = PIECE_LENGTH): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = from + length;
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to;
    yield text.slice(from, end);
    from = end;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
