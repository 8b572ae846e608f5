import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { TestContext } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/** Only ends what hangs, on a busy machine too, and before the test's own limit, so that the error names what was awaited. */
const HANG_MS = 240_000;

/** A browser of this machine; null where its PATH has none. */
const executablePath = findExecutable();

export interface OpenChromium extends AsyncDisposable {
  /** Opens a window with cookies of its own. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
}

/** Skips a test, with the reason, where there is no browser. */
export function skipWithoutChromium(context: Pick<TestContext, 'skip'>): void {
  if (executablePath === null) context.skip(`this machine has none of ${NAMES.join(', ')} on its PATH`);
}

/** Starts the browser without a display; null where there is none. */
export async function openChromium(): Promise<OpenChromium | null> {
  if (executablePath === null) return null;
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

/** A device with passkeys. */
export interface PasskeyDevice {
  /** Sets whether the device recognises its user from now on. */
  readonly recognise: (isUserVerified: boolean) => Promise<void>;
}

/** Gives the browser of a page a passkey device of its own that verifies its user, as a laptop with a fingerprint reader does. */
export async function addPasskeyDevice(page: Page): Promise<PasskeyDevice> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    recognise: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

/** The names of the cookies of a window. */
export const cookieNames = async (context: BrowserContext): Promise<readonly string[]> =>
  (await context.cookies()).map(({ name }) => name).toSorted();

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
