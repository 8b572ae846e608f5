import type { Engine, Outcome } from './campaign.ts';

/** One run of one campaign, or of its control. */
export interface Report extends Outcome {
  readonly id: string;
  readonly title: string;
  readonly engine: Engine;
  readonly seed: number;
  readonly control: boolean;
  readonly seconds: number;
  /** Why the run came to no outcome; null when it did. */
  readonly error: string | null;
}

/** Whether a promise held, or a control saw it broken. */
export const isAsItMustBe = ({ control, broken, error }: Report): boolean =>
  error === null && broken.length > 0 === control;

/** Whether it could not be run here; its counts say why. */
export const isSkipped = ({ counts }: Report): boolean => counts['skipped'] !== undefined;

export function verdictOf(report: Report): string {
  const { control, broken, error } = report;
  if (isSkipped(report)) return 'skipped';
  if (error !== null) return `FAILED: ${error}`;
  const reasons = broken.join('; ');
  if (control) return broken.length > 0 ? `broken, as it must be: ${reasons}` : 'BLIND: the control broke nothing';
  return broken.length > 0 ? `BROKEN: ${reasons}` : 'holds';
}

/** All about one run. */
export function describeReport(report: Report): string {
  const { id, title, engine, seed, seconds, control } = report;
  const name = control ? `${id} control` : id;
  const head = `${name}: ${title}\n  engine ${engine}, seed ${seed}, ${seconds} s`;
  return `${head}\n  ${countsText(report)}\n  ${verdictOf(report)}\n`;
}

/** The line that a whole run ends with. */
export function summaryOf(reports: readonly Report[]): string {
  const ran = reports.filter((report) => !isSkipped(report));
  const failed = ran.filter((report) => !isAsItMustBe(report)).length;
  const skipped = reports.length - ran.length;
  return `${ran.length - failed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
}

/** The table that a whole run ends with. */
export function tableOf(reports: readonly Report[]): string {
  const header = ['campaign', 'engine', 'seed', 'counts', 'duration', 'verdict'];
  const rows = reports.map((report) => {
    const { id, title, engine, seed, seconds, control } = report;
    const name = `${control ? `${id} control` : id}: ${title}`;
    return [name, engine, String(seed), countsText(report), `${seconds} s`, verdictOf(report)];
  });
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cellOf).join(' | ')} |\n`);
  return lines.join('');
}

const countsText = ({ counts }: Report): string =>
  Object.entries(counts)
    .map(([name, value]) => `${typeof value === 'number' ? value.toLocaleString('en-US') : value} ${name}`)
    .join(', ');

const cellOf = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
