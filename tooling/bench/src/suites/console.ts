import { openFolder } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { ADMINISTRATOR, ADMINISTRATOR_RECORDS } from '../console/administrator.ts';
import { type FirstLoad, measureFirstLoad } from '../console/first-load.ts';
import { type InteractionTimes, measureInteractions } from '../console/interactions.ts';
import { measureScrolling, type Scrolling, untilFiltered } from '../console/long-list.ts';
import { openConsole } from '../console/open-console.ts';
import { PAGES } from '../console/pages.ts';
import { createPolicyWorld } from '../console/policy-world.ts';
import { untilPainted } from '../console/probe.ts';
import { openSample, SAMPLE_ADMINISTRATOR } from '../console/sample.ts';
import { type Figure, figure, type SuiteResult, spreadText, type Table } from '../measure/report.ts';
import { ROUNDS, spreadOf } from '../measure/rounds.ts';
import { createRegisterFiller } from '../reports/fill-register.ts';

/** Sizes of the worlds, and which parts are measured; environment variables change them. */
const violations = Number(process.env['BENCH_VIOLATIONS'] ?? 1_000_000);
const policies = Number(process.env['BENCH_POLICIES'] ?? 10_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? ROUNDS);
const parts = (process.env['BENCH_PARTS'] ?? 'sample,register,matrix').split(',');
/** The factor by which a slow processor is slower. */
const SLOWDOWN = 4;
const SCROLLED_MS = 4_000;
const KIB = 1024;

interface Part {
  readonly tables: readonly Table[];
  readonly figures: readonly Figure[];
  readonly raw: object;
}

const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  sample: measureSample,
  register: measureRegister,
  matrix: measureMatrix,
};

/** The pages of the console in a real browser. */
export async function run(): Promise<SuiteResult> {
  const measured: Part[] = [];
  for (const name of parts) {
    const part = await PARTS[name]?.();
    if (part === undefined) throw new Error(`No part ${name}. Parts: ${Object.keys(PARTS).join(', ')}`);
    measured.push(part);
  }
  return {
    name: 'console',
    tables: measured.flatMap(({ tables }) => tables),
    figures: measured.flatMap(({ figures }) => figures),
    raw: { violations, policies, rounds, parts: measured.map(({ raw }) => raw) },
  };
}

const atMost = (name: string, values: readonly number[], goal?: number): Figure => ({
  ...{ name, spread: spreadOf(values), less: true },
  ...(goal === undefined ? {} : { goal }),
});
const median = (values: readonly number[]) => spreadOf(values).median;

async function measureSample(): Promise<Part> {
  await using console = await openSample();
  const options = { identityId: SAMPLE_ADMINISTRATOR, rounds };
  const loads: FirstLoad[] = [];
  for (const page of PAGES) loads.push(await measureFirstLoad(console, page, { ...options, slowdown: 1 }));
  const interactions = await measureInteractions(console, { ...options, slowdown: SLOWDOWN });
  const answers = await measureAnswers(console);
  return {
    tables: [loadTable(loads), interactionTable(interactions)],
    figures: [
      atMost(
        'first contentful paint, the slowest page, ms',
        slowest(loads, ({ paintMs }) => paintMs),
        500,
      ),
      atMost('scripts of the largest page opened first, KiB', [Math.max(...loads.map(kibOf))], 150),
      atMost(
        `input to next paint at ${SLOWDOWN} times slowdown, the slowest, ms`,
        slowest(interactions, (each) => each.ms),
        100,
      ),
      atMost('what-if, from the key that completes the question to the answer, ms', answers, 100),
    ],
    raw: { loads, interactions, answers },
  };
}

const kibOf = ({ scriptBytes }: FirstLoad) => scriptBytes / KIB;
/** The values of the thing whose median is highest. */
const slowest = <T>(things: readonly T[], valuesOf: (thing: T) => readonly number[]) =>
  things.map(valuesOf).toSorted((a, b) => median(b) - median(a))[0] ?? [];

function loadTable(loads: readonly FirstLoad[]): Table {
  return {
    header: [
      'page opened first',
      'first contentful paint, ms',
      'CPU of the main thread to the content, ms',
      'scripts, KiB',
    ],
    rows: loads.map((load) => [
      load.name,
      spreadText(spreadOf(load.paintMs)),
      spreadText(spreadOf(load.busyMs)),
      figure(kibOf(load)),
    ]),
  };
}

function interactionTable(interactions: readonly InteractionTimes[]): Table {
  return {
    header: [`input to next paint at ${SLOWDOWN} times slowdown`, 'ms'],
    rows: interactions.map(({ name, ms }) => [name, spreadText(spreadOf(ms))]),
  };
}

/** Milliseconds from the key that chooses the second half of a question to its answer. */
async function measureAnswers(console: Awaited<ReturnType<typeof openConsole>>): Promise<readonly number[]> {
  const page = await console.openWindow(SAMPLE_ADMINISTRATOR);
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await page.goto(console.addressOf('what-if?person=i-0001'));
    await page.getByRole('combobox', { name: 'Access to add' }).focus();
    await page.keyboard.type('Vendor: create');
    await page.getByRole('listbox').getByRole('option').first().filter({ hasText: 'Vendor: create' }).waitFor();
    const isAnswered = `[...document.querySelectorAll('main [role=status]')].some((each) => /violates/.test(each.textContent))`;
    times.push(await untilPainted(page, isAnswered, () => page.keyboard.press('Enter')));
  }
  await page.context().close();
  return times.slice(1);
}

async function measureRegister(): Promise<Part> {
  using folder = openFolder('bench-console');
  const databaseUrl = `sqlite:${folder.path}/store.db`;
  const start = performance.now();
  {
    await using store = await openStore(databaseUrl);
    await createRegisterFiller(store).fill(violations);
  }
  const fillSeconds = (performance.now() - start) / 1000;
  await using console = await openConsole(databaseUrl);
  await console.client.accessModel.import([...ADMINISTRATOR_RECORDS]);
  const scrolls: Scrolling[] = [];
  const [chosen, typed]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const page = await console.openWindow(ADMINISTRATOR);
    await page.goto(console.addressOf('violations'));
    await page.locator('main [role=cell]').first().waitFor();
    scrolls.push(await measureScrolling(page, SCROLLED_MS));
    for (const label of ['Status', 'Level']) {
      await page.getByRole('main').getByLabel(label).first().focus();
      chosen.push(await untilFiltered(page, () => page.keyboard.press('ArrowDown')));
    }
    await page.goto(console.addressOf('violations'));
    await page.locator('main [role=cell]').first().waitFor();
    await page.getByRole('main').getByRole('searchbox').first().focus();
    typed.push(await untilFiltered(page, () => page.keyboard.type('Name 12')));
    await page.context().close();
  }
  const frames = scrolls.map(({ frameMs }) => 1000 / (frameMs.reduce((sum, ms) => sum + ms, 0) / frameMs.length));
  const count = violations.toLocaleString('en-US');
  return {
    tables: [],
    figures: [
      { name: `frames a second while ${count} violations scroll`, spread: spreadOf(frames), goal: 59 },
      atMost(
        'the same, p95 of the time of a frame, ms',
        scrolls.map(({ frameMs }) => p95(frameMs)),
      ),
      { name: 'the same, rows that passed by', spread: spreadOf(scrolls.map(({ rows }) => rows)) },
      atMost(`filter of ${count} violations, from the choice to the rows, ms`, chosen, 300),
      atMost('the same, from the last key of a name, with the 200 ms that typing is waited for, ms', typed, 300),
    ],
    raw: { fillSeconds, scrolls, chosen, typed },
  };
}

const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

async function measureMatrix(): Promise<Part> {
  await using console = await openConsole();
  await console.client.accessModel.import([...ADMINISTRATOR_RECORDS, ...createPolicyWorld(policies)]);
  const [opened, drawn]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const page = await console.openWindow(ADMINISTRATOR);
    await page.goto(console.addressOf('people'));
    await page.locator('main h1').waitFor();
    const isDrawn = `document.querySelector('main svg rect') !== null`;
    const open = (name: string) => page.getByRole('link', { name, exact: true }).click();
    opened.push(await untilPainted(page, isDrawn, () => open('Matrix')));
    await open('People');
    await page.locator('main svg').waitFor({ state: 'detached' });
    // What the page has read before is fresh for half a minute.
    drawn.push(await untilPainted(page, isDrawn, () => open('Matrix')));
    await page.context().close();
  }
  const count = policies.toLocaleString('en-US');
  return {
    tables: [],
    figures: [
      atMost(`matrix of ${count} policies, from the click to the picture, the policies are there, ms`, drawn, 500),
      atMost('the same, the policies are read, ms', opened),
    ],
    raw: { opened, drawn },
  };
}
