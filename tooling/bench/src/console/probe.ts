import type { Page } from 'playwright-core';

/**
 * What runs in each page before its own scripts: it notes when the last trusted input began, the interactions of the Event
 * Timing API and what moves without an input, and can say when something is painted and how far frames are apart. The page's policy does not concern it, because the browser adds it.
 */
export const PROBE = `(() => {
  let inputMs = 0;
  const note = (event) => { if (event.isTrusted) inputMs = event.timeStamp; };
  for (const type of ['keydown', 'pointerdown', 'pointerup', 'click', 'input', 'change']) addEventListener(type, note, true);
  let interactions = [];
  const take = (entries) => {
    for (const { interactionId, duration } of entries) if (interactionId > 0) interactions.push(duration);
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: 16 });
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  }));
  let shift = 0;
  const addShifts = (list) => {
    for (const { value, hadRecentInput } of list) if (!hadRecentInput) shift += value;
  };
  const shifts = new PerformanceObserver((list) => addShifts(list.getEntries()));
  shifts.observe({ type: 'layout-shift', buffered: true });
  let frames = null;
  const noteFrame = (time) => {
    if (frames === null) return;
    frames.push(time);
    requestAnimationFrame(noteFrame);
  };
  globalThis.probe = {
    beginFrames: () => {
      frames = [];
      requestAnimationFrame(noteFrame);
    },
    takeFrames: () => {
      const times = frames;
      frames = null;
      // Times are multiples of a tenth of a millisecond, which binary fractions only come near to.
      return times.slice(1).map((time, at) => Math.round(10 * (time - times[at])) / 10);
    },
    painted,
    readShift: () => {
      addShifts(shifts.takeRecords());
      return shift;
    },
    firstPaint: new Promise((resolve) => {
      const tell = (list) => {
        for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime);
      };
      new PerformanceObserver(tell).observe({ type: 'paint' });
    }),
    // The frame that is first to have it is painted once the task after its callbacks runs.
    untilPainted: async (isShown) => {
      const end = performance.now() + 60_000;
      do await painted(); while (!isShown() && performance.now() < end);
      if (!isShown()) throw new Error('it is not shown: ' + isShown);
      return performance.now() - inputMs;
    },
    takeInteractions: () => {
      take(observer.takeRecords());
      const taken = interactions;
      interactions = [];
      return taken;
    },
  };
})();`;

/** Entries of the Event Timing API are multiples of 8 ms, and those below this are not told. */
const LEAST_MS = 16;
const SETTLE_MS = 250;

/** Milliseconds from the last input of an action until the page has painted a frame in which an expression holds. */
export async function untilPainted(page: Page, isShown: string, act: () => Promise<unknown>): Promise<number> {
  const shown = page.evaluate<number>(`probe.untilPainted(() => ${isShown})`);
  await act();
  return shown;
}

/** Milliseconds from the inputs of an action to the next paint, by the longest of its interactions. */
export async function interactionMs(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate('probe.takeInteractions()');
  await act();
  await page.evaluate('probe.painted()');
  // Entries are told after the paint.
  await page.waitForTimeout(SETTLE_MS);
  return Math.max(LEAST_MS, ...(await page.evaluate<number[]>('probe.takeInteractions()')));
}
