import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/** Only ends what hangs, on a busy machine too, and before a test's own limit, so that the error names what was awaited. */
const HANG_MS = 240_000;

/** A browser of this machine; null where its PATH has none. */
const executablePath = findExecutable();

/** Why no browser can be started here; null where one can. */
export const whyNoChromium: string | null =
  executablePath === null ? `this machine has none of ${NAMES.join(', ')} on its PATH` : null;

export interface OpenChromium extends AsyncDisposable {
  /** Opens a window with cookies of its own. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
}

/** Starts the browser without a display; null where there is none. */
export async function openChromium(): Promise<OpenChromium | null> {
  if (executablePath === null) return null;
  // Tests without a browser do not load the library.
  const { chromium } = await import('playwright-core');
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  const browser = await chromium.launch({ executablePath, args, timeout: HANG_MS });
  return {
    open: async (options) => {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(HANG_MS);
      return context.newPage();
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

function findExecutable(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
