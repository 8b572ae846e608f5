import { freePort, type OpenChromium, openChromium, type Service, whyNoChromium } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { openMeasuredService } from '../servers/open-measured-service.ts';
import { PROBE } from './probe.ts';

const PASSWORD = 'a long enough sentence';
/** Only ends what hangs. */
const HANG_MS = 120_000;
const VIEWPORT = { width: 1280, height: 900 };

export type Client = Awaited<ReturnType<Service['startApi']>>['client'];

/** A service with its console, and a browser. */
export interface OpenConsole extends AsyncDisposable {
  readonly service: Service;
  readonly client: Client;
  /** The address of a page of the console. */
  addressOf(page: string): string;
  /** A window with an empty cache, in which a person is signed in. */
  openWindow(identityId: string): Promise<Page>;
}

/** Starts the API, by default on an empty database; the caller starts a worker where one is needed. */
export async function openConsole(databaseUrl?: string): Promise<OpenConsole> {
  const chromium = await openChromium({ isMeasured: true });
  if (chromium === null) throw new Error(whyNoChromium ?? 'this machine has no Chromium with windows on its PATH');
  const service = openMeasuredService(databaseUrl === undefined ? {} : { databaseUrl });
  const port = String(await freePort());
  const address = `http://localhost:${port}`;
  const { client } = await service.startApi({ PORT: port, BASE_ADDRESS: address });
  const signedIn = new Map<string, Awaited<ReturnType<typeof signIn>>>();
  return {
    service,
    client,
    addressOf: (page) => `${address}/console/${page}`,
    openWindow: async (identityId) => {
      const state = signedIn.get(identityId) ?? (await signIn(chromium, client, identityId));
      signedIn.set(identityId, state);
      const page = await chromium.open({ storageState: state, viewport: VIEWPORT, locale: 'en-GB' });
      page.setDefaultTimeout(HANG_MS);
      await page.context().addInitScript({ content: PROBE });
      return page;
    },
    [Symbol.asyncDispose]: async () => {
      await chromium[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Sets a password by a link, which signs in. Returns the cookies. */
async function signIn(chromium: OpenChromium, client: Client, identityId: string) {
  const { url } = await client.authUsers.createSignInLink(identityId);
  const context = (await chromium.open()).context();
  const form = { password: PASSWORD, repeated: PASSWORD };
  const response = await context.request.post(url, { form, headers: { origin: new URL(url).origin } });
  if (!response.ok()) throw new Error(`the link of ${identityId} answered ${response.status()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Slows the scripts and the layout of a page by a factor, as a slower processor does. */
export async function slowDown(page: Page, factor: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: factor });
}
