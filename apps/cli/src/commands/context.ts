import type { Command } from 'commander';
import { calledWrongly, type ExitCode } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import type { EvaluationThreads } from '../population/threads.ts';

/** What commands get from the process. */
export interface CommandContext {
  readonly output: Output;
  /** The version of this package. */
  readonly version: string;
  readonly environment: ServiceEnvironment;
  readonly now: () => Date;
  /** Threads for what takes long; null where there are none. */
  readonly threads: EvaluationThreads | null;
  /** Aborted when the user stops the command. */
  readonly signal: AbortSignal;
  /** Runs what keeps the event loop busy for long, or waits in the system: nothing of it is to be said or tidied up when it is stopped. */
  readonly blocking: <T>(action: () => T) => Promise<T>;
  /** Whether standard input and standard error are a terminal, so that questions can be asked. */
  readonly isInteractive: boolean;
  /** Asks the user to confirm. True without a terminal: there the option itself is the confirmation. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/** What the environment says about the service and this command's own files. */
export interface ServiceEnvironment {
  readonly url: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** The file of profiles. */
  readonly configPath: string;
  /** The folder of what may be removed at any time. */
  readonly cachePath: string;
}

/** The options that every command takes. */
export interface GlobalOptions {
  readonly format?: string;
  readonly url?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly profile?: string;
}

/** Where a command is added. */
export interface CommandParent {
  readonly program: Command;
  readonly context: CommandContext;
  /** The handler of a command, from a function that returns how the command ends. */
  readonly run: <A extends readonly unknown[]>(
    action: (...args: A) => Promise<ExitCode>,
  ) => (...args: A) => Promise<void>;
}

/** The options that every command takes, as given. */
export const globalsOf = ({ program }: CommandParent): GlobalOptions => program.opts<GlobalOptions>();

/** The format that was asked for, of those that a command has; the first one if none was. */
export function formatOf<F extends string>(parent: CommandParent, formats: readonly [F, ...F[]]): F {
  const { format } = globalsOf(parent);
  if (format === undefined) return formats[0];
  const known = formats.find((each) => each === format);
  if (known === undefined) throw calledWrongly(`--format ${format}: this command has ${formats.join(', ')}`);
  return known;
}

/** The number of deletions that `--confirm-deletes` confirms; null without it. */
export function deletesOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) throw calledWrongly(`--confirm-deletes ${text}: must be a whole number`);
  return Number(text);
}

/** The formats of commands that are no gates. */
export const RESULT_FORMATS = ['human', 'json'] as const;
