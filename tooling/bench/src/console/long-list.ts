import type { Page } from 'playwright-core';
import { untilPainted } from './probe.ts';

const WHEEL_PX = 240;
/** A wheel that is turned fast turns by one notch in each frame. */
const NOTCH_MS = 16;

/** What a scrolled list has shown. */
export interface Scrolling {
  /** Milliseconds between the frames that scripts could draw. */
  readonly frameMs: readonly number[];
  /** The rows that were passed. */
  readonly rows: number;
}

/** Turns the wheel over a list for a time. */
export async function measureScrolling(page: Page, milliseconds: number): Promise<Scrolling> {
  const list = page.locator('main [role=region]').first();
  const box = await list.boundingBox();
  if (box === null) throw new Error('the page shows no list');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.evaluate('probe.countFrames()');
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const sent = performance.now();
    await session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY: WHEEL_PX });
    await page.waitForTimeout(Math.max(0, NOTCH_MS - (performance.now() - sent)));
  }
  const frameMs = await page.evaluate<number[]>('probe.takeFrames()');
  const rows = await page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('main [role=row]')].map((row) => Number(row.ariaRowIndex)))`,
  );
  return { frameMs, rows };
}

/** What the page says, the number of rows among it. */
const COUNT = `[...document.querySelectorAll('main [role=status]')].map((each) => each.textContent).join('')`;

/** Milliseconds from the last input of an action until the list shows other rows, with their number. */
export async function untilFiltered(page: Page, act: () => Promise<unknown>): Promise<number> {
  const before = await page.evaluate<string>(COUNT);
  const isNew = `${COUNT} !== ${JSON.stringify(before)} && /\\d/.test(${COUNT})`;
  return untilPainted(page, `${isNew} && document.querySelector('main [role=cell]') !== null`, act);
}
