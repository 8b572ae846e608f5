import { type CommandParent, calledWrongly } from '@access-admin/cli';
import { serve } from '../start/serve.ts';
import { refuseWrongConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';

/** `serve`: API and worker in one process tree. `isDefault` makes it what runs without a command. */
export const addServe =
  (server: ServerContext, { isDefault }: { readonly isDefault: boolean }) =>
  ({ program, context, run }: CommandParent): void => {
    program
      .command('serve', { isDefault })
      .description('run API, worker and console, with the sample in an empty store')
      .option('--no-sample', 'leave an empty store empty (SAMPLE=off)')
      .option('--apis <number>', 'API processes at the one port; 1 if left out')
      .option('--workers <number>', 'worker processes; 1 if left out')
      .action(
        run(({ sample, apis, workers }: ServeFlags) => {
          const counts = { apis: countOf('--apis', apis), workers: countOf('--workers', workers) };
          refuseWrongConfig(server);
          return serve({ ...server, ...context, ...counts, hasSample: sample && server.env['SAMPLE'] !== 'off' });
        }),
      );
  };

interface ServeFlags {
  readonly sample: boolean;
  readonly apis?: string;
  readonly workers?: string;
}

const PROCESSES_MAX = 64;

function countOf(flag: string, text = '1'): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > PROCESSES_MAX)
    throw calledWrongly(`${flag}: must be a whole number from 1 to ${PROCESSES_MAX}`);
  return count;
}
