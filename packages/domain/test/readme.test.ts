import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const INDEX = join(import.meta.dirname, '../src/index.ts');

test('the prediction of the README finds the violation that it tells of', () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(README) ?? [];
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(12);
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  try {
    const file = join(folder, 'example.ts');
    writeFileSync(file, code.replace("'@access-admin/domain'", JSON.stringify(INDEX)));
    const { violationContexts } = JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
    const side = (id: string, existing: boolean) => ({ criteriaList: [{ id, existing }] });
    expect(violationContexts).toMatchObject([
      { policy: { id: 'p-1' }, conflictingAccessCriteria: { criteria: [side('enter', true), side('pay', false)] } },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
