import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Spread } from './measure.ts';

/** Prints one markdown table. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(line(header) + line(header.map(() => '---')) + rows.map(line).join(''));
}

/** Writes `results/<suite>.json` with the machine that it was measured on. */
export function writeResults(suite: string, results: object): void {
  const folder = fileURLToPath(new URL('../results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  const text = JSON.stringify({ suite, measured: new Date().toISOString(), machine, ...results }, null, 2);
  writeFileSync(`${folder}${suite}.json`, `${text}\n`);
}

export const spreadText = ({ median, min, max }: Spread): string => `${figure(median)} (${figure(min)}–${figure(max)})`;

/** Three significant digits. */
export const figure = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
