import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFolder } from '@access-admin/harness';
import { runCommand } from '../src/app.ts';
import type { CommandContext } from '../src/commands/context.ts';

/** What a run of the command wrote and returned. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

/** The instant at which the tests run. */
export const NOW = new Date('2026-11-26T12:00:00.000Z');

/** A folder with files. Arguments that begin with `./` are paths in it, and its name does not show in what is returned. */
export interface TestFolder extends Disposable {
  readonly path: string;
  run(...args: readonly string[]): Promise<Ran>;
}

/** Writes files, and runs the command on them in this process. */
export function openFiles(files: Readonly<Record<string, string | Buffer>>): TestFolder {
  const { path, ...folder } = openFolder('cli');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  const shown = (text: string) => text.replaceAll(`${path}/`, '');
  return {
    ...folder,
    path,
    run: async (...args) => {
      let out = '';
      let notes = '';
      const context: CommandContext = {
        output: {
          write: async (text) => {
            out += text;
          },
          note: (text) => {
            notes += `${text}\n`;
          },
          style: (_, text) => text,
          progress: () => ({ update: () => {}, end: () => {} }),
        },
        version: '1.2.3',
        environment: {
          url: undefined,
          clientId: undefined,
          clientSecret: undefined,
          configPath: join(path, 'config.json'),
          cachePath: join(path, 'cache'),
        },
        now: () => NOW,
        signal: new AbortController().signal,
        isInteractive: false,
        confirm: async () => true,
      };
      const code = await runCommand(
        args.map((arg) => (arg.startsWith('./') ? join(path, arg) : arg)),
        context,
      );
      return { code, out: shown(out), notes: shown(notes) };
    },
  };
}

/** Records as lines. */
export const ndjson = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
