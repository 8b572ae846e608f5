import type { SodCheck, SodCheckResult } from '@access-admin/contract';
import { openDeadline } from '../http/deadline.ts';
import type { Runtime } from '../http/runtime.ts';

/** A check with its one result, which never changes again. `ERROR` means that there is no verdict. */
export interface FinishedSodCheck extends SodCheck {
  readonly state: 'SUCCESS' | 'ERROR';
  readonly completed: string;
  readonly violationCheckResult: SodCheckResult;
}

/** How long to wait for a check. */
export interface WaitOptions {
  /** 60,000 if left out. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What waiting needs. */
export interface CheckReader {
  readonly getCheck: (waitSeconds: number, signal: AbortSignal) => Promise<SodCheck>;
  readonly runtime: Runtime;
}

/** The longest that the service holds an answer. */
const WAIT_SECONDS = 30;
/** Between two reads, should an answer come back undone at once. */
const PAUSE_MS = 1_000;

/** Reads a check, each read held by the service, until it is done. */
export async function waitForCheck(
  requestId: string,
  { getCheck, runtime }: CheckReader,
  { timeoutMs = 60_000, signal }: WaitOptions = {},
): Promise<FinishedSodCheck> {
  const deadline = openDeadline({ timeoutMs, signal }, `Check ${requestId}`, runtime);
  try {
    for (;;) {
      const askedAt = runtime.now();
      const check = await getCheck(WAIT_SECONDS, deadline.signal);
      if (isFinished(check)) return check;
      await runtime.sleep(Math.max(0, askedAt + PAUSE_MS - runtime.now()), deadline.signal);
    }
  } finally {
    deadline.close();
  }
}

function isFinished(check: SodCheck): check is FinishedSodCheck {
  return check.state !== 'PENDING';
}
