import { setImmediate } from 'node:timers/promises';

/**
 * Requests of one turn of the event loop, and those that come while others are under way, are carried out together: at most
 * `requestsMax` at a time, with an outcome for each in order. They fail together too.
 */
export function gather<R, O>(
  carryOut: (requests: readonly R[]) => Promise<readonly O[]>,
  requestsMax: number,
): (request: R) => Promise<O> {
  interface Waiting {
    readonly request: R;
    readonly resolve: (outcome: O) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let isRunning = false;

  const run = async () => {
    while (waiting.length > 0) {
      await setImmediate();
      const group = waiting.splice(0, requestsMax);
      try {
        const outcomes = await carryOut(group.map(({ request }) => request));
        for (const [place, outcome] of outcomes.entries()) group[place]?.resolve(outcome);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isRunning = false;
  };

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}
