import { figure, spreadText, type Table } from '../measure/report.ts';
import { ratioOf, spreadOf, takeTurns } from '../measure/rounds.ts';
import type { Values } from './subjects.ts';

/** One figure of both checkouts, by round. */
export interface Compared {
  readonly figure: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** No figure may be worse than this share of the one before. */
const RATIO_MIN = 0.95;

/** Lets both contestants take turns; the first round warms up. */
export async function collectRounds<C>(
  contestants: readonly C[],
  play: (contestant: C) => Promise<Values>,
  counted: number,
): Promise<readonly Compared[]> {
  const [before = [], after = []] = await takeTurns(contestants, play, { counted, warmUp: 1 });
  return Object.keys(before[0] ?? {}).map((figure) => ({
    figure,
    before: before.map((values) => values[figure] ?? Number.NaN),
    after: after.map((values) => values[figure] ?? Number.NaN),
  }));
}

/** By round: above 1 the later checkout is better. Rates end in `/s`, all other figures are costs. */
export const improvementOf = ({ figure, before, after }: Compared) =>
  /\/s$/.test(figure) ? ratioOf(after, before) : ratioOf(before, after);

export const comparisonTable = (compared: readonly Compared[]): Table => ({
  header: ['figure', 'before: median (range)', 'after', 'ratio: min', 'median', 'max', `≥ ${RATIO_MIN}`],
  rows: compared.map((each) => {
    const { min, median, max } = improvementOf(each);
    const [before, after] = [spreadOf(each.before), spreadOf(each.after)];
    return [
      ...[each.figure, spreadText(before), spreadText(after)],
      ...[min, median, max].map(figure),
      median >= RATIO_MIN ? 'yes' : 'no',
    ];
  }),
});
