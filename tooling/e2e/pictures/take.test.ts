import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type OpenChromium, openChromium, ROOT } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { skipWithoutChromium } from '../browser.ts';
import { type ConsoleOffice, openConsoleOffice } from '../console/office.ts';
import { tellHistory } from './history.ts';
import { SCENES, type Scene } from './scenes.ts';
import { SHOWN_MS } from './shown-time.ts';

/** The folder that gets the pictures, as `npm run pictures` names it; without one, they are only checked. */
const FOLDER = process.env['PICTURES'];
const BYTES_MAX = 200 * 1024;
/** Of the compression of WebP: letters are as sharp as those of a PNG. */
const QUALITY = 82;
const SIZE = { width: 1280, height: 800 };

let office: ConsoleOffice | undefined;
let chromium: OpenChromium | null = null;
const windows = new Map<string, Page>();

beforeAll(async () => {
  chromium = await openChromium();
  if (chromium === null) return;
  office = await openConsoleOffice({
    NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, 'tooling/e2e/pictures/clock.ts'))}`,
    PICTURES_STARTED_MS: String(Date.now()),
  });
  await tellHistory(office);
  if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
});
beforeEach(skipWithoutChromium);
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]();
  await office?.[Symbol.asyncDispose]();
});

const files = SCENES.flatMap((scene) => filesOf(scene).map(({ file }) => file));

test.each(SCENES)('the picture $name is taken', async (scene) => {
  const page = await openWindow(scene);
  await page.setViewportSize({ ...SIZE, ...scene.size });
  await page.goto(`${office?.address}/console${scene.path}`);
  await scene.show(page);
  for (const { file, colorScheme } of filesOf(scene)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const picture = await takePicture(page);
    expect(picture.length, file).toBeLessThanOrEqual(BYTES_MAX);
    if (FOLDER !== undefined) writeFileSync(join(FOLDER, file), picture);
  }
});

test('the documents have the pictures that are taken here, and no others', () => {
  expect(readdirSync(join(ROOT, 'docs/pictures')).toSorted()).toEqual(files.toSorted());
});

/** The files of a scene: one in light colors, or one in light and one in dark ones. */
function filesOf({ name, hasDark }: Scene) {
  if (!hasDark) return [{ file: `${name}.webp`, colorScheme: 'light' as const }];
  return (['light', 'dark'] as const).map((colorScheme) => ({ file: `${name}-${colorScheme}.webp`, colorScheme }));
}

/** The window of a person, who is signed in once. */
async function openWindow({ as }: Scene): Promise<Page> {
  const known = windows.get(as);
  if (known !== undefined) return known;
  const page = await chromium?.open({ locale: 'en-GB', timezoneId: 'UTC', viewport: SIZE, deviceScaleFactor: 2 });
  if (page === undefined) throw new Error('there is no browser');
  await page.clock.setFixedTime(SHOWN_MS);
  await office?.signIn(page, as);
  windows.set(as, page);
  return page;
}

/** What the window shows, without the keyboard's mark in a field, which blinks. */
async function takePicture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement.blur()');
  await page.evaluate('document.fonts.ready');
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  return Buffer.from(data, 'base64');
}
