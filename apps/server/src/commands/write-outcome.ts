import { type CommandParent, EXIT, type ExitCode, formatOf, RESULT_FORMATS } from '@access-admin/cli';

/** Writes what a command has done: a text for people, or the same facts as JSON. */
export async function writeOutcome(parent: CommandParent, facts: object, text: string): Promise<ExitCode> {
  const isJson = formatOf(parent, RESULT_FORMATS) === 'json';
  await parent.context.output.write(`${isJson ? JSON.stringify(facts) : text}\n`);
  return EXIT.done;
}
