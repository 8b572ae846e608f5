import { expect, test } from 'vitest';
import { inspect, useConsole } from './window.ts';

const opened = useConsole();

test('a control is created, refused at its fields, changed, and deleted unless it is in use', async () => {
  const { office, openWindow } = opened();
  const { client } = office;
  const page = await openWindow();
  await page.goto(`${office.address}/console/policies`);
  await page.getByRole('navigation').getByRole('link', { name: 'Controls', exact: true }).click();
  await page.getByText('There are no controls yet.').waitFor();
  const creation = page.getByRole('form', { name: 'New control' });
  await creation.getByLabel('How long it lasts').fill('400');
  await creation.getByRole('button', { name: 'Create the control' }).click();
  await creation.getByRole('alert').first().waitFor();
  await inspect(page, 'controls-refused');
  const name = '<b>Second</b> signature עברית';
  await creation.getByLabel('Name').fill(name);
  await creation.getByLabel('Description').fill('The head of finance signs each payment.');
  await creation.getByLabel('How long it lasts').fill('20');
  await creation.getByRole('checkbox', { name: 'A reason is required' }).check();
  await creation.getByLabel('Name').press('Enter');
  await creation.getByText(`Created: “${name}”.`).waitFor();
  const [control] = await Array.fromAsync(client.controls.list());
  expect(control).toMatchObject({
    name,
    description: 'The head of finance signs each payment.',
    expiration: '20d',
    justificationRequired: true,
  });
  const id = control?.id ?? '';
  await page.getByText('Lasts 20 days. Needs a reason.').waitFor();
  await page.getByRole('button', { name: `Change ${name}` }).click();
  const editor = page.getByRole('form', { name });
  await editor.getByLabel('Unit').selectOption('Hours');
  await inspect(page, 'controls');
  await client.controls.patch(id, [{ op: 'replace', path: '/description', value: 'Signed twice.' }]);
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.getByText('Somebody else has changed this in the meantime').waitFor();
  await editor.getByRole('button', { name: 'Continue with mine' }).click();
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.getByText('Saved.', { exact: true }).waitFor();
  expect(await client.controls.get(id)).toMatchObject({ description: 'Signed twice.', expiration: '20h' });
  const { items } = await client.violations.page({ filters: 'status eq "Open"', limit: 1 });
  const requester = await office.actAs('requester');
  const { exceptionId } = await requester.violations.applyControl(items[0]?.id ?? '', id, { comments: 'Signed.' });
  const remove = async () => {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  };
  await remove();
  await page.getByText('The control is applied to a violation, or somebody has asked for it.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await (await office.actAs('requester')).sodExceptions.revoke(exceptionId);
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await remove();
  await page.getByText('There are no controls yet.').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('All controls');
});

test('an auditor reads controls and changes none', async () => {
  const { office, openWindow } = opened();
  await office.client.controls.create({ name: 'Monthly review', expiration: '30d' });
  const page = await openWindow(office.auditor);
  await page.goto(`${office.address}/console/controls`);
  await page.getByRole('heading', { name: 'Monthly review' }).waitFor();
  await page
    .getByText('To change anything here, you need the capability Administrator (ORG_ADMIN) or Policy administrator')
    .waitFor();
  await inspect(page, 'controls-auditor');
  await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0);
});
