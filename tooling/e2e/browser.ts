import { whyNoChromium } from '@access-admin/harness';
import type { BrowserContext, Page } from 'playwright-core';
import type { TestContext } from 'vitest';

/** Skips a test, with the reason, where there is no browser. */
export function skipWithoutChromium(context: Pick<TestContext, 'skip'>): void {
  if (whyNoChromium !== null) context.skip(whyNoChromium);
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
