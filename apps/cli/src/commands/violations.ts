import type { SodViolation } from '@access-admin/client';
import { openSink } from '../files/write-whole.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { type CommandParent, globalsOf } from './context.ts';
import { allOf, withService, writeFacts, writeRows } from './service.ts';

interface ListOptions {
  readonly filters?: string;
  readonly sorters?: string;
  readonly limit?: string;
}

/** `violations`: the register of present violations. */
export function addViolations(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { signal, output } = context;
  const group = program.command('violations').description('the violations that the service keeps');
  group
    .command('list')
    .description('list violations, the newest first')
    .option('--filters <filters>', 'such as: status eq "Open" and level in ("High", "Critical")')
    .option('--sorters <sorters>', 'level, created, modified; with - descending')
    .option('--limit <number>', 'at most so many', '250')
    .action(
      run(
        withService(parent, async ({ client }, { filters, sorters, limit }: ListOptions) => {
          const found = await allOf(client.violations.list({ filters, sorters, signal }), Number(limit));
          return writeRows<SodViolation>(parent, found, {
            level: ({ level }) => level,
            status: ({ status }) => status,
            policy: ({ policy }) => policy.id,
            identity: ({ target }) => target.id,
            name: ({ target }) => target.name,
            since: ({ created }) => created,
            id: ({ id }) => id,
          });
        }),
      ),
    );
  group
    .command('export')
    .description('write all violations: CSV, or NDJSON with --format json')
    .option('--filters <filters>', 'such as: status eq "Open"')
    .option('-o, --output <file>', 'the file to write; standard output if left out')
    .action(
      run(
        withService(parent, async ({ client }, { filters, output: path }: { filters?: string; output?: string }) => {
          const sink = openSink(path ?? null, { output });
          try {
            if (globalsOf(parent).format === 'json')
              for await (const violation of client.violations.export({ filters, signal }))
                await sink.write(`${JSON.stringify(violation)}\n`);
            else for await (const piece of client.violations.exportCsv({ filters, signal })) await sink.write(piece);
          } catch (error) {
            sink.discard();
            if (signal.aborted) throw new CommandFailure('stopped: the export is not complete');
            throw error;
          }
          sink.commit();
          return EXIT.done;
        }),
      ),
    );
  group
    .command('summary')
    .description('count present violations')
    .option('--days <number>', 'of how many days the trend is')
    .action(
      run(
        withService(parent, async ({ client }, { days }: { readonly days?: string }) => {
          const summary = await client.violations.summary({
            signal,
            days: days === undefined ? undefined : Number(days),
          });
          return writeFacts(parent, summary);
        }),
      ),
    );
}
