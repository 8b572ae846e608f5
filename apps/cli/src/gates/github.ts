import { escapeLines } from '../output/escape.ts';
import type { GateReport } from './report.ts';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** The report as workflow commands of GitHub, which annotate the lines of a pull request. */
export const formatGithub = ({ findings }: GateReport): string =>
  findings
    .map(({ rule, severity, text, at }) => {
      const place = at === null ? '' : `file=${property(at.file)},line=${at.line},col=${at.column},`;
      return `::${COMMANDS[severity]} ${place}title=${property(rule)}::${data(text)}\n`;
    })
    .join('');

const data = (text: string): string => escapeLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
