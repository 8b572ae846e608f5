import { sep } from 'node:path';
import { escapeLines } from '../output/escape.ts';
import type { GateFinding, GateReport } from './report.ts';

/** The report as SARIF 2.1.0. */
export function formatSarif({ findings }: GateReport, version: string): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'access-admin', version, rules: rules.map((id) => ({ id, shortDescription: { text: id } })) },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, rules)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const resultOf = ({ rule, severity, text, at }: GateFinding, rules: readonly string[]) => ({
  ruleId: rule,
  ruleIndex: rules.indexOf(rule),
  level: severity,
  // JSON can have every character; those who read it have a terminal or a page.
  message: { text: escapeLines(text) },
  locations:
    at === null
      ? []
      : [
          {
            physicalLocation: {
              artifactLocation: { uri: uriOf(at.file) },
              region: { startLine: at.line, startColumn: at.column },
            },
          },
        ],
});

/** A path as a relative reference. */
export const uriOf = (path: string): string =>
  path
    .split(sep)
    .map((part) => encodeURIComponent(part))
    .join('/')
    .replace(/^\.\//, '');
