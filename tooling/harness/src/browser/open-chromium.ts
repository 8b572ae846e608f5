import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

/** A browser without windows shows the same pages in about half of the processor time. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome'];
/** Only ends what hangs, on a busy machine too, and before a test's own limit, so that the error names what was awaited. */
const HANG_MS = 240_000;

/** Browsers of this machine; null where its PATH has none. */
const whole = findExecutable(WHOLE);
const anyBrowser = findExecutable(SHELLS) ?? whole;

/** Why no browser can be started here; null where one can. */
export const whyNoChromium: string | null =
  anyBrowser === null ? `this machine has none of ${[...SHELLS, ...WHOLE].join(', ')} on its PATH` : null;

export interface OpenChromium extends AsyncDisposable {
  /** Opens a window with cookies of its own. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
}

/** Starts a browser without a display; null where there is none. For what is measured it is one that people use. */
export async function openChromium({ isMeasured = false } = {}): Promise<OpenChromium | null> {
  const executablePath = isMeasured ? whole : anyBrowser;
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

function findExecutable(names: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
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
