import { line } from '../output/escape.ts';
import { EXIT } from '../output/failure.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';
import { withService } from './service.ts';

interface TailOptions {
  readonly after?: string;
  readonly types?: readonly string[];
}

/** `events tail`: what happens in the tenant. */
export function addEvents(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { output, signal } = context;
  program
    .command('events')
    .description('what happens in the tenant')
    .command('tail')
    .description('write events as they happen, until it is stopped')
    .option('--after <sequence>', 'begin after this event; with what happens from now on if left out')
    .option('--types <types...>', 'types of events, such as sod.violation.*')
    .action(
      run(
        withService(parent, async ({ client }, { after, types }: TailOptions) => {
          const isJson = formatOf(parent, RESULT_FORMATS) === 'json';
          const start = after ?? (await client.events.last({ signal }));
          for await (const event of client.events.stream({ after: start, types, signal })) {
            const { sequence, time, type, subject } = event;
            if (isJson) await output.write(`${JSON.stringify(event)}\n`);
            else await output.show(line`${output.style('dim', `${sequence} ${time}`)} ${type} ${subject ?? ''}\n`);
          }
          return EXIT.done;
        }),
      ),
    );
}
