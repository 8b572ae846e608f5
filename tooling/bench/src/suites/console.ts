import { type FirstLoad, measureFirstLoad } from '../console/first-load.ts';
import { type InteractionTimes, measureInteractions } from '../console/interactions.ts';
import type { OpenConsole } from '../console/open-console.ts';
import { PAGES } from '../console/pages.ts';
import { untilPainted } from '../console/probe.ts';
import { openSample, SAMPLE_ADMINISTRATOR } from '../console/sample.ts';
import { measureScrolling, type Scrolling, TABLE_ROWS } from '../console/scrolling.ts';
import { type Figure, figure, type SuiteResult, spreadText, type Table } from '../measure/report.ts';
import { p95Of, ROUNDS, spreadOf } from '../measure/rounds.ts';

/** The factor by which a slow processor is slower. */
const SLOWDOWN = 4;
const KIB = 1024;
/** Of 60 frames a second, to a tenth of a millisecond. */
const FRAME_MS = 16.8;

const atMost = (name: string, values: readonly number[], goal?: number): Figure => ({
  name,
  spread: spreadOf(values),
  less: true,
  ...(goal === undefined ? {} : { goal }),
});
const median = (values: readonly number[]) => spreadOf(values).median;

/** The pages of the console in a real browser, with the sample. */
export async function run(): Promise<SuiteResult> {
  await using console = await openSample();
  const options = { identityId: SAMPLE_ADMINISTRATOR, rounds: ROUNDS };
  const loads: FirstLoad[] = [];
  for (const page of PAGES) loads.push(await measureFirstLoad(console, page, { ...options, slowdown: 1 }));
  const interactions = await measureInteractions(console, { ...options, slowdown: SLOWDOWN });
  const answers = await measureAnswers(console);
  const scrolled = await measureScrolling(console, options);
  return {
    name: 'console',
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
      atMost(
        'layout shift while a page is read, the largest',
        slowest(loads, ({ shift }) => shift),
        0.01,
      ),
      atMost(
        `95th percentile of the time between two frames while tables of ${TABLE_ROWS} rows are scrolled through, the slowest, ms`,
        [Math.max(...scrolled.map(frameP95))],
        FRAME_MS,
      ),
      atMost('what-if, from the key that completes the question to the answer, ms', answers, 100),
    ],
    raw: { rounds: ROUNDS, loads, interactions, answers, scrolled },
  };
}

const frameP95 = ({ frameMs }: Scrolling) => p95Of(frameMs);
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
      'layout shift',
    ],
    rows: loads.map((load) => [
      load.name,
      spreadText(spreadOf(load.paintMs)),
      spreadText(spreadOf(load.busyMs)),
      figure(kibOf(load)),
      spreadText(spreadOf(load.shift)),
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
async function measureAnswers(console: OpenConsole): Promise<readonly number[]> {
  const page = await console.openWindow(SAMPLE_ADMINISTRATOR);
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
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
