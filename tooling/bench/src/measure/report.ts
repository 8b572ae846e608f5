import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Spread } from './rounds.ts';

/** A markdown table; the first cell of its header names the measurement and its unit. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A measured value; its name includes the unit. Ratios of values measured in one run are the most reliable. */
export interface Figure {
  readonly name: string;
  readonly spread: Spread;
  /** The goal and the minimum; with `less`, upper bounds. A figure without either is for information. */
  readonly goal?: number;
  readonly atLeast?: number;
  readonly less?: true;
}

/**
 * The result of a suite's `run()`, printed and written by `main.ts`. A suite throws when the run is invalid (unequal
 * answers, a process that ended), never because of a figure.
 */
export interface SuiteResult {
  /** The name on the command line. */
  readonly name: string;
  readonly tables: readonly Table[];
  readonly figures: readonly Figure[];
  /** All measurements for `results/<suite>.json`: the seed, the size of the world, each round of each contestant. */
  readonly raw: object;
}

/** Prints the details of one suite. */
export function printSuite({ name, tables }: SuiteResult, seconds: number): void {
  process.stdout.write(`\n## ${name}, ${seconds} s\n`);
  for (const { header, rows } of tables) {
    process.stdout.write('\n');
    printTable(header, rows);
  }
}

/** Prints the table of all figures at the end of a run. */
export function printVerdicts(results: readonly SuiteResult[]): void {
  process.stdout.write('\n## All figures\n\n');
  printTable(
    ['suite', 'figure', 'value: median (range)', 'goal', 'at least', 'verdict'],
    results.flatMap(({ name, figures }) =>
      figures.map((each) => [
        name,
        each.name,
        spreadText(each.spread),
        boundText(each, each.goal),
        boundText(each, each.atLeast),
        verdictOf(each),
      ]),
    ),
  );
}

/** Prints one markdown table. */
function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(line(header) + line(header.map(() => '---')) + rows.map(line).join(''));
}

/** Writes `results/<suite>.json` with a description of the machine. */
export function writeResults(suite: string, results: object): void {
  const folder = fileURLToPath(new URL('../../results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  const text = JSON.stringify({ suite, measured: new Date().toISOString(), machine, ...results }, null, 2);
  writeFileSync(`${folder}${suite}.json`, `${text}\n`);
}

export const spreadText = ({ median, min, max }: Spread): string => `${figure(median)} (${figure(min)}–${figure(max)})`;

/** Formats with three significant digits. */
export const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);

export function verdictOf(each: Figure): string {
  const { goal, atLeast } = each;
  if (goal === undefined && atLeast === undefined) return '';
  if (goal !== undefined && reaches(each, goal)) return 'met';
  if (atLeast === undefined) return 'missed';
  if (!reaches(each, atLeast)) return 'missed';
  return goal === undefined ? 'met' : 'enough';
}

const reaches = ({ spread, less }: Figure, bound: number): boolean =>
  less ? spread.median <= bound : spread.median >= bound;

const boundText = ({ less }: Figure, bound: number | undefined): string =>
  bound === undefined ? '' : `${less ? '≤' : '≥'} ${bound}`;
