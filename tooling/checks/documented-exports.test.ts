import { expect, test } from 'vitest';
import { read, SOURCES } from './repository.ts';

const PUBLIC = /^packages\/(domain|contract|client)\//;
const DECLARATION = /^export (declare |abstract |async )*(const|let|function\*?|class|interface|type|enum) [\w$]/;

test('every export of domain, contract and client has a docstring', () => {
  const bare = SOURCES.filter((path) => PUBLIC.test(path)).flatMap((path) => {
    const lines = read(path).split('\n');
    return lines.flatMap((line, at) =>
      DECLARATION.test(line) && !isDocumented(lines, at) ? [`${path}:${at + 1}: ${line}`] : [],
    );
  });
  expect(bare).toEqual([]);
});

// By the comment right above, which also speaks for further exports that follow without a blank line.
function isDocumented(lines: readonly string[], at: number): boolean {
  const above = lines[at - 1] ?? '';
  if (/\*\/\s*$/.test(above)) return true;
  return DECLARATION.test(above) || above === '] as const;' ? isDocumented(lines, startOf(lines, at - 1)) : false;
}

function startOf(lines: readonly string[], at: number): number {
  const line = lines[at] ?? 'export const ';
  return DECLARATION.test(line) ? at : startOf(lines, at - 1);
}
