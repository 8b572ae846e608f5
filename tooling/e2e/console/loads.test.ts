import type { LoadRecordInput } from '@access-admin/client';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { showsTitle } from '../sign-in-office.ts';
import { inspect, useConsole, useWindow } from './window.ts';

const opened = useConsole();
const shown = useWindow(opened);

const GRANTED = { type: 'ENTITLEMENT', id: 'erp-vendor-create' } as const;

/** Accounts that no rule links, with access. */
const accountsOf = (count: number): readonly LoadRecordInput[] =>
  Array.from({ length: count }, (_, at) => ({ kind: 'account', id: `a-${at}`, access: [GRANTED] }));

const ndjsonOf = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

const fileOf = (content: string, name = 'accounts.ndjson') => ({
  name,
  mimeType: 'application/x-ndjson',
  buffer: Buffer.from(content),
});

/** Creates a source, and loads accounts of it by a program. */
async function createSource(id: string, records: readonly LoadRecordInput[] = []) {
  const { client } = opened().office;
  await client.sources.create({ id, name: `Source ${id}` });
  if (records.length > 0) await load(id, records);
}

/** Loads all accounts of a source by a program; resolves with how the load has ended. */
async function load(source: string, records: readonly LoadRecordInput[]) {
  const { sourceLoads } = opened().office.client;
  const { loadId } = await sourceLoads.create(source, { mode: 'FULL' });
  await sourceLoads.putPart(source, loadId, 1, records);
  await sourceLoads.commit(source, loadId);
  await expect.poll(async () => (await sourceLoads.get(source, loadId)).completed).not.toBe(null);
  return sourceLoads.get(source, loadId);
}

const countAccounts = async (source: string) =>
  (await Array.fromAsync(opened().office.client.accounts.list({ filters: `source eq "${source}"` }))).length;

async function openSource(page: Page, id: string) {
  await page.goto(`${opened().office.address}/console/sources/${id}`);
  await showsTitle(page, `Source ${id}`);
  return { card: page.getByRole('region', { name: 'Loads' }), drawer: page.getByRole('dialog') };
}

/** What a load says that it changes, or would change, of the accounts. */
const changesOf = (place: Locator) =>
  place
    .locator('dl > div')
    .filter({ has: place.page().getByText('Accounts', { exact: true }) })
    .locator('dd')
    .textContent();

test('a file is tried out, its faults are told with their lines, and then it is loaded', async () => {
  const { office } = opened();
  await createSource('file');
  const person = (await office.client.identities.page({ limit: 1 })).items[0];
  const page = shown();
  const { card, drawer } = await openSource(page, 'file');
  await card.getByText('Nothing has been loaded yet.').waitFor();
  await card.getByRole('button', { name: 'Load a file' }).click();
  await drawer.getByText('access-admin load file --from csv accounts.csv --dry-run').waitFor();
  await inspect(page, 'load-file');

  const choose = drawer.getByLabel('Choose a file');
  const tryOut = drawer.getByRole('button', { name: 'Try it' });
  await tryOut.click();
  await drawer.getByText('Choose a file first.').waitFor();
  await choose.setInputFiles(fileOf('Benutzer;Rolle\nada;Z_AP\n', "SAP's users.csv"));
  await drawer.getByText('This seems to be a table (CSV), not JSON lines.').waitFor();
  await drawer.getByText(String.raw`access-admin load file --from csv 'SAP'\''s users.csv' --dry-run`).waitFor();
  await inspect(page, 'load-csv');

  const records = [...accountsOf(2), { kind: 'account', id: 'linked', name: person?.uid, access: [GRANTED] }];
  const faulty = `${ndjsonOf(records)}\n{"kind":"account","id":"x","access":[{"type":"ENTITLEMENT","id":"gone"}]}\n{]\n`;
  await choose.setInputFiles(fileOf(faulty));
  await tryOut.click();
  await drawer.getByText('2 lines have faults. Nothing was changed.').waitFor();
  await drawer.getByRole('listitem').filter({ hasText: 'Line 5' }).getByText('gone').waitFor();
  await drawer.getByRole('listitem').filter({ hasText: 'Line 6' }).waitFor();
  expect(await drawer.getByRole('button', { name: 'Load it' }).count()).toBe(0);
  await inspect(page, 'load-faults');
  // What is no text in UTF-8 is not sent, and the page still says what loads other files.
  await choose.setInputFiles({ ...fileOf(''), buffer: Buffer.from([...Buffer.from(ndjsonOf(records)), 0xff, 0x0a]) });
  await tryOut.click();
  await drawer.getByText('The file is not UTF-8 from line 1 on, or after it. Nothing was loaded.').waitFor();
  await drawer.getByText('access-admin load file --from csv accounts.csv --dry-run').waitFor();

  await choose.setInputFiles(fileOf(ndjsonOf(records)));
  await tryOut.click();
  await drawer.getByText('Nothing was changed: this is what the load would do.').waitFor();
  expect(await changesOf(drawer)).toBe('3 new');
  await drawer.getByText('1 by a rule, 2 not linked').waitFor();
  await drawer.getByText('Violations', { exact: true }).waitFor();
  expect(await countAccounts('file')).toBe(0);
  await inspect(page, 'load-tried');

  await drawer.getByRole('button', { name: 'Load it' }).click();
  await drawer.getByRole('status').getByText('Done').waitFor();
  await drawer.getByRole('button', { name: 'Load another file' }).waitFor();
  expect(await countAccounts('file')).toBe(3);
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page
    .getByRole('table', { name: 'List of accounts' })
    .getByRole('button', { name: 'linked' })
    .or(page.getByRole('table', { name: 'List of accounts' }).getByRole('button', { name: person?.uid ?? '' }))
    .first()
    .waitFor();
  expect(await changesOf(card)).toBe('3 new');
  await card.getByText('All loads (3)').click();
  await card.getByRole('listitem').nth(2).getByText('2 lines with faults').waitFor();
  await inspect(page, 'source-loads');
  await card.getByRole('listitem').nth(2).getByRole('button').click();
  await drawer.getByText('Part 1, line 5').waitFor();
});

test('a load that deletes too much waits until somebody confirms the number', async () => {
  const { office } = opened();
  await createSource('losses', accountsOf(40));
  const refused = await load('losses', accountsOf(20));
  expect(refused).toMatchObject({ state: 'REFUSED', deletes: 20 });
  const page = shown();
  await page.goto(`${office.address}/console/sources`);
  const row = page.getByRole('row', { name: /Source losses/ });
  await row.getByText('Waits').waitFor();
  await row.getByRole('link').last().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('It would delete 20 accounts').waitFor();
  await inspect(page, 'load-waits');
  await drawer.getByRole('button', { name: 'Confirm 20 accounts' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm 20 accounts' }).click();
  await drawer.getByRole('status').getByText('Done').waitFor();
  expect(await changesOf(drawer)).toBe('20 removed, 20 unchanged');
  expect(await countAccounts('losses')).toBe(20);
});

test('a file that deletes too much is confirmed before the rest of it is tried out, and loaded', async () => {
  await createSource('confirmed', accountsOf(40));
  const page = shown();
  const { card, drawer } = await openSource(page, 'confirmed');
  await card.getByRole('button', { name: 'Load a file' }).click();
  await drawer.getByLabel('Choose a file').setInputFiles(fileOf(ndjsonOf(accountsOf(25))));
  await drawer.getByRole('button', { name: 'Try it' }).click();
  await drawer.getByRole('button', { name: 'Continue the dry run' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Continue the dry run' }).click();
  await drawer.getByText('Nothing was changed: this is what the load would do.').waitFor();
  expect(await changesOf(drawer)).toBe('15 removed, 25 unchanged');
  expect(await countAccounts('confirmed')).toBe(40);
  await drawer.getByRole('button', { name: 'Load it, 15 accounts confirmed' }).click();
  await drawer.getByRole('button', { name: 'Load another file' }).waitFor();
  await drawer.getByRole('status').getByText('Done').waitFor();
  expect(await countAccounts('confirmed')).toBe(25);
  // Some accounts: the others stay.
  await drawer.getByRole('button', { name: 'Load another file' }).click();
  await drawer.getByLabel('The file has').selectOption('Some accounts of the source');
  await drawer.getByLabel('Choose a file').setInputFiles(fileOf(ndjsonOf([{ kind: 'account', id: 'new' }])));
  await drawer.getByRole('button', { name: 'Try it' }).click();
  await drawer.getByText('Nothing was changed: this is what the load would do.').waitFor();
  expect(await changesOf(drawer)).toBe('1 new');
});

test('sending is stopped, and an open load, which is in the way of others, is cancelled', async () => {
  const { office } = opened();
  const { sourceLoads } = office.client;
  const listed = async () => (await sourceLoads.page('open')).items.map(({ state }) => state);
  await createSource('open');
  const page = shown();
  const { card, drawer } = await openSource(page, 'open');
  await card.getByRole('button', { name: 'Load a file' }).click();
  await page.route('**/parts/1', () => {});
  await drawer.getByLabel('Choose a file').setInputFiles(fileOf(ndjsonOf(accountsOf(1))));
  await drawer.getByRole('button', { name: 'Try it' }).click();
  await expect.poll(listed).toEqual(['OPEN']);
  await inspect(page, 'load-sending');
  await drawer.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(listed).toEqual([]);

  await page.unroute('**/parts/1');
  await sourceLoads.create('open', { mode: 'FULL' });
  await drawer.getByRole('button', { name: 'Try it' }).click();
  await drawer.getByText('Another load of this source is open or runs.').waitFor();
  await inspect(page, 'load-refused');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await card.getByText('Being sent').first().waitFor();
  await inspect(page, 'source-load-open');
  await card.getByRole('button', { name: 'Cancel the load' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the load' }).click();
  await card.getByText('Nothing has been loaded yet.').waitFor();
  expect(await listed()).toEqual([]);
});
