import type { Route } from 'playwright-core';
import type { OpenConsole } from './open-console.ts';

/** As many rows as the tables are said to have. */
export const TABLE_ROWS = 1_000_000;

const TURNS = 240;
/** Of a wheel that is turned fast: several rows a turn. */
const TURN_PX = 400;
const READ_MS = 1_000;

/** A table, and the list that it reads. */
interface Scrolled {
  readonly name: string;
  readonly path: string;
  readonly list: string;
}

const TABLES: readonly Scrolled[] = [
  { name: 'violations', path: 'violations', list: '**/violations/v1?*' },
  { name: 'audit log', path: 'audit-log', list: '**/audit-events/v1?*' },
];

export interface Scrolling {
  readonly name: string;
  /** Milliseconds between two frames while the table is scrolled through, in order. */
  readonly frameMs: readonly number[];
}

/** Scrolls through tables of a million rows as fast as a wheel does, and notes the frames. */
export async function measureScrolling(
  console: OpenConsole,
  { identityId }: { readonly identityId: string },
): Promise<readonly Scrolling[]> {
  const measured: Scrolling[] = [];
  for (const { name, path, list } of TABLES) {
    const page = await console.openWindow(identityId);
    await page.route(list, lengthen);
    await page.goto(console.addressOf(path));
    await page.locator('main [role=cell]').first().waitFor();
    await page.waitForTimeout(READ_MS);
    await page.locator('main [role=cell]').first().hover();
    await page.evaluate('probe.beginFrames()');
    for (let turn = 0; turn < TURNS; turn++) await page.mouse.wheel(0, TURN_PX);
    measured.push({ name, frameMs: await page.evaluate<number[]>('probe.takeFrames()') });
    // What is read ahead is answered before the window is closed.
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().close();
  }
  return measured;
}

/** Answers a part of a list as if it had a million rows: those that the service has, again and again. */
async function lengthen(route: Route): Promise<void> {
  const url = new URL(route.request().url());
  const { searchParams } = url;
  const limit = Number(searchParams.get('limit') ?? 1);
  const from = Number(searchParams.get('offset') ?? searchParams.get('cursor') ?? 0);
  searchParams.delete('offset');
  searchParams.delete('cursor');
  const response = await route.fetch({ url: url.href });
  const rows: readonly { readonly id: string; readonly sequence?: number }[] = await response.json();
  const long = Array.from({ length: limit }, (_, at) => {
    const row = rows[at % rows.length];
    return { ...row, id: `${row?.id} ${from + at}`, ...(row?.sequence !== undefined && { sequence: from + at + 1 }) };
  });
  searchParams.set('cursor', String(from + limit));
  const link = `<${url.pathname}${url.search}>; rel="next"`;
  await route.fulfill({ json: long, headers: { 'x-total-count': String(TABLE_ROWS), link } });
}
