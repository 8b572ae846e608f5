import { type CommandParent, EXIT, type ExitCode, formatOf, RESULT_FORMATS } from '@access-admin/cli';

/** Writes what a command has done: a text for people, or the same facts as JSON. */
export type WriteOutcome = (facts: object, text: string) => Promise<ExitCode>;

/** Reads the format before a command does anything. Throws a `CommandFailure` where the command does not have it. */
export function outcomeWriter(parent: CommandParent): WriteOutcome {
  const isJson = formatOf(parent, RESULT_FORMATS) === 'json';
  return async (facts, text) => {
    const { output } = parent.context;
    if (isJson) await output.write(`${JSON.stringify(facts)}\n`);
    else await output.show(`${text}\n`);
    return EXIT.done;
  };
}
