import { join } from 'node:path';

/** How a command that runs in the process of a test finds its surroundings. */
export interface CapturedCommand {
  /** The folder of its configuration and of its cache. */
  readonly folder: string;
  readonly now?: () => Date;
  /** The answer of a person at a terminal; without one there is no terminal. */
  readonly answer?: boolean | undefined;
}

/** The context of a command of `apps/cli` or `apps/server` that runs in the process of a test, and what it has written. */
export function captureCommand({ folder, now = () => new Date(), answer }: CapturedCommand) {
  const written = { out: '', notes: '' };
  const signal: AbortSignal = new AbortController().signal;
  const context = {
    output: {
      write: async (text: string) => {
        written.out += text;
      },
      note: (text: string) => {
        written.notes += `${text}\n`;
      },
      show: async (text: string) => {
        written.out += text;
      },
      style: (_: string, plain: string) => ({ plain, toString: () => plain }),
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
    now,
    signal,
    blocking: async <T>(action: () => T) => action(),
    threads: null,
    isInteractive: answer !== undefined,
    confirm: async () => answer ?? true,
  };
  return { context, written };
}
