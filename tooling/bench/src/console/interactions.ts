import type { Page } from 'playwright-core';
import { type OpenConsole, slowDown } from './open-console.ts';
import { interactionMs } from './probe.ts';

/** Something that a person does on a page; what the last one has done still holds. */
interface Interaction {
  readonly name: string;
  readonly act: (page: Page) => Promise<unknown>;
}

/** What is done on a page, in this order. */
interface Visit {
  readonly path: string;
  readonly interactions: readonly Interaction[];
}

const press =
  (key: string): Interaction['act'] =>
  (page) =>
    page.keyboard.press(key);
const type =
  (text: string): Interaction['act'] =>
  (page) =>
    page.keyboard.type(text, { delay: 60 });
const focus = async (page: Page, label: string) => page.getByRole('main').getByLabel(label).first().focus();
const inField =
  (label: string, act: Interaction['act']): Interaction['act'] =>
  async (page) => {
    await focus(page, label);
    await act(page);
  };
/** Clicks where an element is, once it is there. */
const click =
  (selector: string): Interaction['act'] =>
  (page) =>
    page.locator(selector).first().click();
const choose: Interaction['act'] = async (page) => {
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
};

const VISITS: readonly Visit[] = [
  {
    path: '',
    interactions: [
      {
        name: 'frame: open the search',
        act: async (page) => {
          await page.keyboard.press('Control+k');
          await page.getByRole('dialog').getByRole('combobox').waitFor();
        },
      },
      { name: 'frame: type in the search', act: type('vendor') },
      { name: 'frame: close the search', act: press('Escape') },
      { name: 'overview: open another page', act: click('nav a[href*="/matrix"]') },
      { name: 'overview: back to it', act: click('nav a[href$="/console/"], nav a[href$="/console"]') },
      {
        name: 'frame: choose a theme',
        act: async (page) => {
          await page.locator('header [aria-controls]').last().click();
          await page.locator('header select').last().focus();
          await page.keyboard.press('ArrowDown');
        },
      },
    ],
  },
  {
    path: 'violations?status=Open',
    interactions: [
      { name: 'violations: open one', act: click('main [role=cell] button') },
      { name: 'violations: close it', act: press('Escape') },
      { name: 'violations: choose a level', act: inField('Level', press('ArrowDown')) },
      { name: 'violations: type in the search', act: inField('Name of the person contains', type('astrid')) },
    ],
  },
  {
    path: 'matrix',
    interactions: [
      {
        name: 'matrix: choose two systems',
        act: click('main td button[class*=shade5], main td button[class*=shade4]'),
      },
      { name: 'matrix: choose two sides', act: click('main svg g:has(text)') },
      { name: 'matrix: open a violation of theirs', act: click('main th a[href*="open="]') },
    ],
  },
  {
    path: 'what-if',
    interactions: [
      { name: 'what-if: type a person', act: inField('Person', type('astrid')) },
      { name: 'what-if: choose the person', act: choose },
      { name: 'what-if: type access', act: inField('Access to add', type('vendor')) },
      { name: 'what-if: choose the access', act: choose },
    ],
  },
  {
    path: 'policies',
    interactions: [
      { name: 'policies: type in the search', act: inField('Name contains', type('pay')) },
      { name: 'policies: open one', act: click('main [role=cell] a') },
    ],
  },
  {
    path: 'policies/sod-p2p-01',
    interactions: [
      { name: 'policy: type advice', act: inField('Correction advice', type('ask')) },
      { name: 'policy: type an item', act: inField('Add to side 2', type('AP: ent')) },
      { name: 'policy: choose the item', act: choose },
      { name: 'policy: try it', act: (page) => page.getByRole('button', { name: 'Try it' }).click() },
    ],
  },
  {
    path: 'people',
    interactions: [
      {
        name: 'people: type in the search',
        act: async (page) => {
          await page.getByRole('searchbox').focus();
          await type('astrid')(page);
        },
      },
      { name: 'people: open one', act: click('main [role=cell] a') },
    ],
  },
  {
    path: 'exceptions?state=APPROVED',
    interactions: [
      { name: 'exceptions: only those that end soon', act: (page) => page.getByRole('checkbox').first().click() },
    ],
  },
  {
    path: 'settings/auth-profiles',
    interactions: [
      { name: 'settings: switch the section', act: click('main a[href*="/login-page"]') },
      { name: 'settings: type a text', act: inField('Label of the username field', type('name')) },
    ],
  },
  {
    path: 'audit-log',
    interactions: [{ name: 'audit log: open an entry', act: click('main summary, main [aria-expanded]') }],
  },
];

// The pages read what they show; a stream of events goes on for ever.
const READ_MS = 1_000;

export interface InteractionTimes {
  readonly name: string;
  /** Milliseconds from the input to the next paint, by round. */
  readonly ms: readonly number[];
}

/** Does what people do on each page, in rounds. */
export async function measureInteractions(
  console: OpenConsole,
  options: { readonly identityId: string; readonly rounds: number; readonly slowdown: number },
): Promise<readonly InteractionTimes[]> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < options.rounds; round++)
    for (const { path, interactions } of VISITS) {
      const page = await console.openWindow(options.identityId);
      await page.goto(console.addressOf(path));
      await page.locator('main h1').waitFor();
      await page.waitForTimeout(READ_MS);
      await slowDown(page, options.slowdown);
      for (const { name, act } of interactions) {
        const ms = await interactionMs(page, () => act(page));
        times.set(name, [...(times.get(name) ?? []), ms]);
      }
      await page.context().close();
    }
  return [...times].map(([name, ms]) => ({ name, ms }));
}
