import type { Output } from '../output/output.ts';
import { formatGithub } from './github.ts';
import { formatJunit } from './junit.ts';
import { formatMarkdown } from './markdown.ts';
import type { GateFormat, GateReport } from './report.ts';
import { formatSarif } from './sarif.ts';

/** Writes the report of a gate in a format. */
export async function writeReport(
  report: GateReport,
  { output, format, version }: { readonly output: Output; readonly format: GateFormat; readonly version: string },
): Promise<void> {
  if (format === 'human') return output.show(`${report.summary}\n${report.human()}`);
  if (format !== 'json') return output.write(formatReport(report, format, version));
  for await (const piece of report.json()) await output.write(piece);
}

function formatReport(report: GateReport, format: Exclude<GateFormat, 'json' | 'human'>, version: string): string {
  switch (format) {
    case 'junit':
      return formatJunit(report);
    case 'sarif':
      return formatSarif(report, version);
    case 'github':
      return formatGithub(report);
    case 'markdown':
      return formatMarkdown(report);
  }
}
