import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../src/index.ts';

const README = join(import.meta.dirname, '../README.md');
const HEAD = '| group | operations |\n|---|---|\n';

/** A row of each group, with the names of its methods in their order. */
function rowsOf(value: object, path: string): readonly string[] {
  const methods = Object.entries(value).filter(([, each]) => typeof each === 'function');
  const groups = Object.entries(value).filter(([, each]) => typeof each === 'object');
  const names = methods.map(([name]) => `\`${name}\``).join(', ');
  return [
    ...(methods.length === 0 ? [] : [`| \`${path}\` | ${names} |`]),
    ...groups.flatMap(([name, group]) => rowsOf(group, `${path}.${name}`)),
  ];
}

test('the README names every method; `vitest --update` writes its table', async () => {
  const text = readFileSync(README, 'utf8');
  const start = text.indexOf(HEAD) + HEAD.length;
  const admin = createClient({ baseAddress: 'http://127.0.0.1:8080', token: 'none' });
  const table = rowsOf(admin, 'admin').join('\n');
  expect(table).toContain('| `admin.authOrg.lockout` | `get`, `patch` |');
  const whole = text.slice(0, start) + table + text.slice(text.indexOf('\n\n', start));
  await expect(whole).toMatchFileSnapshot(README);
});
