import { escapeControls } from '../output/escape.ts';
import type { GateReport } from './report.ts';

/** The report as a comment of a pull request. */
export const formatMarkdown = (report: GateReport): string => {
  const details = report.markdown();
  return `### access-admin ${report.command}\n\n${report.summary}\n${details === '' ? '' : `\n${details}`}`;
};

/** A table of Markdown. The first row is the head. */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |\n`;
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`;
}

/** A text of others in a cell: no markup, and nobody is notified. */
const escapeCell = (text: string): string =>
  escapeControls(text.replaceAll(/[ \t\r\n]+/g, ' '))
    .replaceAll(/[\\`*_[\]<>|~#&]/g, (character) => `\\${character}`)
    .replaceAll('@', '@\u200b');
