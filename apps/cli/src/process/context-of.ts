import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from '../commands/context.ts';
import { escapeLines } from '../output/escape.ts';
import { createOutput } from '../output/output.ts';

/** What a program says of itself, and its clocks. */
export interface ProgramFacts extends Pick<CommandContext, 'version' | 'signal' | 'blocking' | 'now' | 'threads'> {
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
}

/** What commands get from a process: its streams, and what its environment says. */
export function contextOf(
  { env, stdin, stdout, stderr }: Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'>,
  { clock, ...facts }: ProgramFacts,
): CommandContext {
  const isInteractive = stdin.isTTY === true && stderr.isTTY === true;
  return {
    ...facts,
    output: createOutput({ stdout, stderr, noColor: (env['NO_COLOR'] ?? '') !== '', clock }),
    environment: {
      url: env['ACCESS_ADMIN_URL'],
      clientId: env['ACCESS_ADMIN_CLIENT_ID'],
      clientSecret: env['ACCESS_ADMIN_CLIENT_SECRET'],
      // One that is empty is not set, by the XDG Base Directory Specification.
      configPath: join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'access-admin', 'config.json'),
      cachePath: join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'access-admin'),
    },
    isInteractive,
    confirm: async (question) => {
      if (!isInteractive) return true;
      const { createInterface } = await import('node:readline/promises');
      const terminal = createInterface({ input: stdin, output: stderr });
      const answer = await terminal.question(`${escapeLines(question)} [y/N] `, { signal: facts.signal });
      terminal.close();
      return /^y(es)?$/i.test(answer.trim());
    },
  };
}
