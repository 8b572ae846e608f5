import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AccessModelInput, type AccessModelRecord, createClient } from '@access-admin/client';
import { freePort, openTestService, ROOT, signalFamily } from '@access-admin/harness';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { PASSWORD, showsTitle } from '../sign-in-office.ts';

const SAMPLE = join(ROOT, 'tooling/sample');
/** Only ends what hangs. */
const HANG_MS = 240_000;
/** A person without capabilities. The sample's own service desk signs in at a directory, and can set no password. */
const HELPER = 'i-0286';
const OUTSIDER = 'i-0283';
const people = JSON.parse(readFileSync(join(SAMPLE, 'people.json'), 'utf8'));

export type ConsoleOffice = Awaited<ReturnType<typeof openConsoleOffice>>;

/** The records of the sample. */
const readSample = (): readonly AccessModelRecord[] => {
  const lines = readFileSync(join(SAMPLE, 'sample.ndjson'), 'utf8').trim().split('\n');
  return lines.map((line): AccessModelRecord => JSON.parse(line));
};

/** A service with the sample or with other records, whose worker keeps the register, and its console. */
export async function openConsoleOffice(
  env: Readonly<Record<string, string>> = {},
  records: readonly AccessModelInput[] = readSample(),
) {
  const service = await openTestService();
  const port = String(await freePort());
  const address = `http://localhost:${port}`;
  const startApi = () => service.startApi({ PORT: port, BASE_ADDRESS: address, ...env });
  let api = await startApi();
  const { client } = api;
  const worker = service.startWorker(env);
  await client.accessModel.import(records);
  const identities = records.filter(({ kind }) => kind === 'identity').length;
  const isKept = async () => (await client.violations.summary()).identities === identities;
  await vi.waitUntil(isKept, { timeout: HANG_MS, interval: 50 });
  /** The operations as one of the people of the sample. */
  const actAs = async (role: 'requester' | 'approver') => {
    const { id, secret } = await client.oauthClients.create({
      name: role,
      identityId: people[role],
      scopes: ['events:read', 'sod-exceptions:manage', 'sod-policies:manage', 'sod-violations:manage'],
    });
    return createClient({ baseAddress: address, clientId: id, clientSecret: secret });
  };
  return {
    address,
    client,
    actAs,
    /** Those of the client that has every scope. */
    credentials: service.credentials,
    /** Signs the administrator of the sample, or somebody else, in by a new link, and shows the console. */
    signIn: async (page: Page, identityId: string = people.administrator) => {
      // Its page is of the tests of sign-in, and would take as long here as the console.
      const { url } = await client.authUsers.createSignInLink(identityId);
      const form = { password: PASSWORD, repeated: PASSWORD };
      const answer = await page.context().request.post(url, { form, headers: { origin: address }, maxRedirects: 0 });
      expect([answer.status(), answer.headers()['location']]).toEqual([303, '/']);
      await page.goto(`${address}/console/`);
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
    ...pauseOf(worker, service.databaseUrl),
    /** Leaves the API without a thread that runs, its connections open, until it is resumed. */
    pauseApi: () => signalFamily(api.pid, 'SIGSTOP'),
    resumeApi: () => signalFamily(api.pid, 'SIGCONT'),
    stopApi: () => api.stop(),
    startApi: async () => {
      api = await startApi();
    },
    /** Ends every session of the administrator. */
    endSessions: async (identityId: string = people.administrator) => {
      for await (const { id } of client.sessions.list({ filters: `identityId eq "${identityId}"` }))
        await client.sessions.end(id);
    },
    administrator: people.administrator as string,
    auditor: people.auditor as string,
    /** Somebody of the sample whose only capability is of another service. */
    outsider: OUTSIDER,
    /** Gives a person who can set a password the capability `HELPDESK` alone. Returns the id of the person. */
    appointHelper: async () => {
      await client.authUsers.setCapabilities(HELPER, ['HELPDESK']);
      return HELPER;
    },
    password: PASSWORD,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Stops a worker between its writes, until it is resumed: within one, no other process could write. */
const pauseOf = ({ pid }: { readonly pid: number }, databaseUrl: string) => {
  const resumeWorker = () => signalFamily(pid, 'SIGCONT');
  const tryToPause = () => {
    signalFamily(pid, 'SIGSTOP');
    const isBetweenWrites = isWritable(databaseUrl);
    if (!isBetweenWrites) resumeWorker();
    return isBetweenWrites;
  };
  return {
    pauseWorker: () => vi.waitUntil(tryToPause, { timeout: HANG_MS, interval: 50 }),
    resumeWorker,
  };
};

/** Longer than any write of the API takes. */
const WRITE_MS_MAX = 1_000;

function isWritable(databaseUrl: string): boolean {
  const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: WRITE_MS_MAX });
  try {
    database.exec('begin immediate; rollback');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
