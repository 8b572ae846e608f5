import type { SodCheck, SodCheckResult } from '@access-admin/contract';
import { openDeadline } from '../http/deadline.ts';
import type { Runtime } from '../http/runtime.ts';

/** A check with its final result. In state `ERROR` there is no verdict. */
export interface FinishedSodCheck extends SodCheck {
  readonly state: 'SUCCESS' | 'ERROR';
  readonly completed: string;
  readonly violationCheckResult: SodCheckResult;
}

/** Time limit and signal of a wait. */
export interface WaitOptions {
  /** 60,000 if left out. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How to read a check, and the clock. */
export interface CheckReader {
  readonly getCheck: (waitSeconds: number, signal: AbortSignal) => Promise<SodCheck>;
  readonly runtime: Runtime;
}

/** The longest time that the service holds a response. */
const WAIT_SECONDS = 30;
/** The pause between two reads if the service does not hold its responses. */
const PAUSE_MS = 1_000;

/** Reads a check until it is done. The service holds the response of each read. */
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
