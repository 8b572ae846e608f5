import { openSink } from '../files/write-whole.ts';
import { line } from '../output/escape.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';
import { withService } from './service.ts';

/** `person`: what the service keeps of a person. */
export function addPerson(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { signal, output } = context;
  const group = program.command('person').description('what the service keeps of a person');
  group
    .command('export')
    .description('write all that names a person, also after the identity is deleted: one record a line (NDJSON)')
    .argument('<id>', 'the id of the identity')
    .option('-o, --output <file>', 'the file to write; standard output if left out')
    .action(
      run(
        withService(parent, async ({ client }, id: string, { output: path }: { readonly output?: string }) => {
          const sink = openSink(path ?? null, { output });
          try {
            for await (const record of client.identities.personalData(id, { signal }))
              await sink.write(`${JSON.stringify(record)}\n`);
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
    .command('erase')
    .description('replace the names and attributes of a deleted identity by a pseudonym; this cannot be undone')
    .argument('<id>', 'the id of the identity')
    .action(
      run(
        withService(parent, async ({ client }, id: string) => {
          const { pseudonym } = await client.identities.erase(id, { confirm: id, signal });
          if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify({ id, pseudonym })}\n`);
          else await output.show(line`${id} becomes ${pseudonym} within minutes\n`);
          return EXIT.done;
        }),
      ),
    );
}
