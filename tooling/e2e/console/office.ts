import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AccessModelRecord, createClient } from '@access-admin/client';
import { freePort, openTestService, ROOT, signalFamily } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { PASSWORD, setPasswordByLink, showsTitle } from '../sign-in-office.ts';

const SAMPLE = join(ROOT, 'tooling/sample');
/** Only ends what hangs. */
const HANG_MS = 240_000;
const people = JSON.parse(readFileSync(join(SAMPLE, 'people.json'), 'utf8'));

export type ConsoleOffice = Awaited<ReturnType<typeof openConsoleOffice>>;

/** A service with the sample, whose worker keeps the register, and its console. */
export async function openConsoleOffice(env: Readonly<Record<string, string>> = {}) {
  const service = await openTestService();
  const port = String(await freePort());
  const address = `http://localhost:${port}`;
  const { client } = await service.startApi({ PORT: port, BASE_ADDRESS: address, ...env });
  const worker = service.startWorker(env);
  const lines = readFileSync(join(SAMPLE, 'sample.ndjson'), 'utf8').trim().split('\n');
  await client.accessModel.import(lines.map((line): AccessModelRecord => JSON.parse(line)));
  await vi.waitUntil(async () => (await client.violations.summary()).open > 0, { timeout: HANG_MS, interval: 100 });
  /** The operations as one of the people of the sample. */
  const actAs = async (role: 'requester' | 'approver') => {
    const { id, secret } = await client.oauthClients.create({
      name: role,
      identityId: people[role],
      scopes: ['sod-exceptions:manage', 'sod-policies:manage', 'sod-violations:manage'],
    });
    return createClient({ baseAddress: address, clientId: id, clientSecret: secret });
  };
  return {
    address,
    client,
    actAs,
    /** Those of the client that has every scope. */
    credentials: service.credentials,
    /** Signs the administrator of the sample in by a new link, which leads to the console. */
    signIn: async (page: Page, identityId: string = people.administrator) => {
      await setPasswordByLink(page, (await client.authUsers.createSignInLink(identityId)).url);
      await showsTitle(page, 'Overview');
    },
    /** Signs the administrator in again from the page of an ended session, in another window, and goes back to the page. */
    signInAgain: async (page: Page) => {
      const [other] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Sign in in a new window' }).click(),
      ]);
      // The sample names its usernames otherwise.
      await other.locator('[name=username]').fill('astrid.nygard');
      await other.getByLabel('Password').fill(PASSWORD);
      await other.getByRole('button', { name: 'Sign in', exact: true }).click();
      await showsTitle(other, 'Overview');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    },
    ...pauseOf(worker),
    /** Ends every session of the administrator. */
    endSessions: async (identityId: string = people.administrator) => {
      for await (const { id } of client.sessions.list({ filters: `identityId eq "${identityId}"` }))
        await client.sessions.end(id);
    },
    administrator: people.administrator as string,
    auditor: people.auditor as string,
    password: PASSWORD,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Stops a worker where it is, until it is resumed. */
const pauseOf = ({ pid }: { readonly pid: number }) => ({
  pauseWorker: () => signalFamily(pid, 'SIGSTOP'),
  resumeWorker: () => signalFamily(pid, 'SIGCONT'),
});
