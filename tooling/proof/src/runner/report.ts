import type { Engine, Outcome } from '../campaign/campaign.ts';

/** Identifies one run of one campaign, or of its control. */
export interface RunName {
  readonly id: string;
  readonly title: string;
  readonly engine: Engine;
  readonly seed: number;
  readonly control: boolean;
}

export interface Report extends RunName, Outcome {
  readonly seconds: number;
  /** Why the run has no outcome; null if it has one. */
  readonly error: string | null;
}

type Result = Pick<Report, 'counts' | 'broken' | 'control' | 'error'>;

/** Whether the run was impossible on this machine; the counts give the reason. */
export const isSkipped = ({ counts }: Pick<Result, 'counts'>): boolean => counts['skipped'] !== undefined;

/** Whether the promise held or, for a control, was broken. A skipped run counts as expected. */
export const isAsExpected = (result: Result): boolean =>
  isSkipped(result) || (result.error === null && result.broken.length > 0 === result.control);

export function verdictOf(report: Result): string {
  const { control, broken, error } = report;
  if (isSkipped(report)) return 'skipped';
  if (error !== null) return `FAILED: ${error}`;
  const reasons = broken.join('; ');
  if (control) return broken.length > 0 ? `broken, as it must be: ${reasons}` : 'BLIND: the control broke nothing';
  return broken.length > 0 ? `BROKEN: ${reasons}` : 'holds';
}

/** The paragraph about one run. */
export function describeReport(report: Report): string {
  const { id, title, engine, seed, seconds, control } = report;
  const head = `${id}${control ? ' control' : ''}: ${title}\n  engine ${engine}, seed ${seed}, ${seconds} s`;
  return `${head}\n  ${countsText(report)}\n  ${verdictOf(report)}\n`;
}

/** The last line of all runs. */
export function summaryOf(reports: readonly Report[]): string {
  const ran = reports.filter((report) => !isSkipped(report));
  const failed = ran.filter((report) => !isAsExpected(report)).length;
  const skipped = reports.length - ran.length;
  return `${ran.length - failed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
}

/** The table of all runs, in Markdown. */
export function tableOf(reports: readonly Report[]): string {
  const header = ['campaign', 'engine', 'seed', 'counts', 'duration', 'verdict'];
  const rows = reports.map((report) => {
    const name = `${report.id}${report.control ? ' control' : ''}: ${report.title}`;
    return [name, report.engine, `${report.seed}`, countsText(report), `${report.seconds} s`, verdictOf(report)];
  });
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cellOf).join(' | ')} |\n`).join('');
}

const countsText = ({ counts }: Report): string =>
  Object.entries(counts)
    .map(([name, value]) => `${typeof value === 'number' ? value.toLocaleString('en-US') : value} ${name}`)
    .join(', ');

const cellOf = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
