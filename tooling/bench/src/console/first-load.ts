import type { Page } from 'playwright-core';
import { type OpenConsole, slowDown } from './open-console.ts';

/** The pages, each as its address below the console and what it shows once it has read what it is about. */
export interface ConsolePage {
  readonly path: string;
  readonly name: string;
  /** An expression that holds once the page shows its content. */
  readonly isShown: string;
  /** The width of the window in pixels, by default that of a desktop. */
  readonly width?: number;
}

export interface FirstLoad {
  readonly name: string;
  /** Milliseconds from the navigation to the first contentful paint. */
  readonly paintMs: readonly number[];
  /** Milliseconds that the page's main thread was busy until it showed the content: other programs have no part in it. */
  readonly busyMs: readonly number[];
  /** The scripts of the page, as they were sent. */
  readonly scriptBytes: number;
  /** How much of the window has moved while the page was read, and how far: the sum of its layout shifts. */
  readonly shift: readonly number[];
}

const NARROW_HEIGHT = 740;
/** The pages read what they show; a stream of events goes on for ever. */
const READ_MS = 1_000;

/** Opens a page in windows with an empty cache, one for each round. */
export async function measureFirstLoad(
  console: OpenConsole,
  { path, name, isShown, width }: ConsolePage,
  options: { readonly identityId: string; readonly rounds: number; readonly slowdown: number },
): Promise<FirstLoad> {
  const paintMs = [] as number[];
  const busyMs = [] as number[];
  const bytes = [] as number[];
  const shift = [] as number[];
  for (let round = 0; round < options.rounds; round++) {
    const page = await console.openWindow(options.identityId);
    if (width !== undefined) await page.setViewportSize({ width, height: NARROW_HEIGHT });
    await slowDown(page, options.slowdown);
    const countScripts = await watchScripts(page);
    const readBusyMs = await watchMainThread(page);
    await page.goto(console.addressOf(path));
    await page.evaluate(`probe.untilPainted(() => ${isShown})`);
    busyMs.push(await readBusyMs());
    paintMs.push(await page.evaluate<number>('probe.firstPaint'));
    await page.waitForLoadState('load');
    bytes.push(countScripts());
    await page.waitForTimeout(READ_MS);
    shift.push(await page.evaluate<number>('probe.readShift()'));
    await page.context().close();
  }
  return { name, paintMs, busyMs, scriptBytes: Math.max(...bytes), shift };
}

/** Adds up the bodies of scripts as they come over the wire. */
async function watchScripts(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const scripts = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type !== 'Script') return;
    scripts.add(requestId);
    bytes -= response.encodedDataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

/** Reads the CPU time that the main thread of a page has used. */
async function watchMainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}
