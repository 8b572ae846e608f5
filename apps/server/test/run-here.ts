import { join } from 'node:path';
import { captureCommand, ROOT } from '@access-admin/harness';
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
  const { context, written } = captureCommand({ folder, answer });
  const server = { env, folder, programs: join(folder, 'dist'), elapsed: () => performance.now() };
  const code = await runServerCommand(args, context, server);
  return { code, ...written };
}
