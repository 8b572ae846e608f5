import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFolder, ROOT } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { runCli, VERSION } from './run-cli.ts';

interface Block {
  /** The language, and the name of the file that the block is. */
  readonly info: string;
  readonly text: string;
}

const blocksOf = (page: string): readonly Block[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(
    ([, info = '', text = '']) => ({
      info,
      text,
    }),
  );

/** The words of a command line; quotes keep spaces. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test.each(['docs/guides/rules-as-code.md', 'docs/guides/loading-data.md', 'docs/guides/open-rulebook.md'])(
  '%s shows what the command writes',
  async (page) => {
    const { path: cwd, ...folder } = openFolder('documents');
    using _ = folder;
    symlinkSync(join(ROOT, 'rulebooks'), join(cwd, 'rulebooks'));
    for (const { info, text } of blocksOf(page)) {
      const [language, file] = info.split(' ');
      if (file !== undefined) {
        mkdirSync(dirname(join(cwd, file)), { recursive: true });
        writeFileSync(join(cwd, file), text);
      }
      if (language !== 'console') continue;
      const [, ...runs] = text.split(/^\$ access-admin /m);
      for (const run of runs) {
        const [line = '', ...shown] = run.split('\n');
        const { stdout, stderr } = await runCli(wordsOf(line), { cwd });
        // Pages do not change with each release.
        const written = (stdout + stderr).replaceAll(VERSION, '0.0.0');
        expect(`${line}\n${written}`).toBe(`${line}\n${shown.join('\n')}`);
      }
    }
  },
);
