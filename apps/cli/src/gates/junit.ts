import { escapeLines } from '../output/escape.ts';
import type { GateReport } from './report.ts';

/** The report as JUnit XML: one test case for each test or policy. */
export function formatJunit({ command, cases }: GateReport): string {
  const groups = Map.groupBy(cases, ({ group }) => group);
  const failures = (each: GateReport['cases']) => each.filter(({ failure }) => failure !== null).length;
  const suites = [...groups].map(([group, each]) => {
    const lines = each.map(({ name, at, failure }) => {
      const place = at === null ? '' : ` file="${escapeXml(at.file)}" line="${at.line}"`;
      const head = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(group)}"${place}`;
      if (failure === null) return `${head}/>\n`;
      const [first = ''] = failure.split('\n');
      return `${head}>\n      <failure message="${escapeXml(first)}">${escapeXml(failure)}</failure>\n    </testcase>\n`;
    });
    return `  <testsuite name="${escapeXml(group)}" tests="${each.length}" failures="${failures(each)}">\n${lines.join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="access-admin ${command}" tests="${cases.length}" failures="${failures(cases)}">\n${suites.join('')}</testsuites>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** XML cannot have most control characters, two others, and halves of surrogate pairs at all. */
const escapeXml = (text: string): string =>
  escapeLines(text.toWellFormed())
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
