import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the last lines before the end of the process are written', () => {
  const module = fileURLToPath(new URL('open-log.ts', import.meta.url));
  const program = `import { openLog } from ${JSON.stringify(module)}; openLog('info').info('last words'); process.exit(0);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  });
  expect(output).toContain('last words');
});
