import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { captureCommand, openFolder } from '@access-admin/harness';
import { runCommand } from '../src/app.ts';

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
      const { context, written } = captureCommand({ folder: path, now: () => NOW });
      const code = await runCommand(
        args.map((arg) => (arg.startsWith('./') ? join(path, arg) : arg)),
        context,
      );
      return { code, out: shown(written.out), notes: shown(written.notes) };
    },
  };
}

/** Records as lines. */
export const ndjson = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
