import { join } from 'node:path';
import type { CommandContext } from '@access-admin/cli';
import { ROOT } from '@access-admin/harness';
import { runServerCommand } from '../src/app.ts';

/** What a run of the command wrote and returned. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

/** How the command is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** The answer of a person at a terminal; without one there is no terminal. */
  readonly answer?: boolean;
}

/** Runs the command in this process. */
export async function runHere(
  args: readonly string[],
  { env = {}, folder = ROOT, answer }: RunOptions = {},
): Promise<Ran> {
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
      configPath: join(folder, 'config.json'),
      cachePath: join(folder, 'cache'),
    },
    now: () => new Date(),
    signal: new AbortController().signal,
    isInteractive: answer !== undefined,
    confirm: async () => answer ?? true,
  };
  const server = { env, folder, programs: join(folder, 'dist'), elapsed: () => performance.now() };
  const code = await runServerCommand(args, context, server);
  return { code, out, notes };
}
