import { type OpenChromium, openChromium, whyNoChromium } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { inspectWindow } from '../axe.ts';
import { skipWithoutChromium } from '../browser.ts';
import { type ConsoleOffice, openConsoleOffice } from './office.ts';

const VIEWPORT = { width: 1280, height: 900 };

/** Statements of a script in the page: they let go on what a task has still to do, and end before the next one. */
export const REST_OF_TASK = 'for (let step = 0; step < 1000; step++) await null;';

interface KeptWindow {
  readonly page: Page;
  /** Closes it, and checks that nothing was refused in it. */
  readonly close: () => Promise<void>;
}

export interface ConsoleBrowser {
  readonly office: ConsoleOffice;
  /** A window that is signed in as this identity, by default the administrator, in which nothing is refused by the policy of the page and no script fails. */
  openWindow(identityId?: string): Promise<Page>;
  /** The same, in which nobody is signed in. */
  openBlankWindow(): Promise<Page>;
  /** One of the administrator that stays until it is closed. */
  openKeptWindow(): Promise<KeptWindow>;
}

/** A service with the sample, its environment beyond the defaults, and a browser for the tests of a file, which are skipped where there is no browser. */
export function useConsole(env: Readonly<Record<string, string>> = {}): () => ConsoleBrowser {
  let office: ConsoleOffice | undefined;
  let chromium: OpenChromium | null = null;
  beforeAll(async () => {
    chromium = await openChromium();
    if (chromium !== null) office = await openConsoleOffice(env);
  });
  beforeEach(skipWithoutChromium);
  afterAll(async () => {
    await chromium?.[Symbol.asyncDispose]();
    await office?.[Symbol.asyncDispose]();
  });
  return () => {
    if (office === undefined || chromium === null) throw new Error('there is no browser');
    return browserOf(office, chromium);
  };
}

function browserOf(office: ConsoleOffice, chromium: OpenChromium): ConsoleBrowser {
  const openBlankWindow = async () => {
    const { page, close } = await openBlank(chromium);
    onTestFinished(close);
    return page;
  };
  return {
    office,
    openBlankWindow,
    openKeptWindow: async () => {
      const window = await openBlank(chromium);
      await office.signIn(window.page);
      return window;
    },
    openWindow: async (identityId) => {
      const page = await openBlankWindow();
      await office.signIn(page, identityId);
      return page;
    },
  };
}

async function openBlank(chromium: OpenChromium): Promise<KeptWindow> {
  const page = await chromium.open({ locale: 'en-GB', viewport: VIEWPORT });
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    const text = message.text();
    // A page that must not be framed is one of the tests.
    const isFault = /Content Security Policy|TrustedHTML|Refused to/.test(text) && !text.includes('frame-ancestors');
    if (isFault) faults.push(text);
  });
  const close = async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  };
  return { page, close };
}

/** One window of the administrator for all tests of a file, for which it does not matter what others have done in it. */
export function useWindow(opened: () => ConsoleBrowser): () => Page {
  let window: KeptWindow | undefined;
  beforeAll(async () => {
    if (whyNoChromium !== null) return;
    window = await opened().openKeptWindow();
  });
  afterAll(() => window?.close());
  return () => {
    if (window === undefined) throw new Error('there is no window');
    return window.page;
  };
}

/** Checks the page that is shown, in light and dark, and takes its pictures. */
export async function inspect(page: Page, name: string): Promise<void> {
  await inspectWindow(page, name);
  await page.setViewportSize(VIEWPORT);
}

/** A link in the content of the page. */
export const linkOf = (page: Page, name: RegExp) => page.getByRole('main').getByRole('link', { name });
