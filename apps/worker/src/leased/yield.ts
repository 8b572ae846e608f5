/** Lets the event loop turn if it has not for some milliseconds; called between two units of work. */
export type YieldIfDue = () => Promise<void> | undefined;

const DUE_AFTER_MS = 5;

/** All work of a process shares one: whoever has yielded goes on in the order of yielding, one in each turn of the event loop. */
export function createYieldIfDue(busyMs: () => number): YieldIfDue {
  const waiting: (() => void)[] = [];
  let turnedMs = Number.NEGATIVE_INFINITY;
  const goOn = () => {
    turnedMs = busyMs();
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(goOn);
  };
  return () => {
    if (busyMs() - turnedMs < DUE_AFTER_MS) return;
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(goOn);
    });
  };
}
