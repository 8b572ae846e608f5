import { Command, CommanderError } from 'commander';
import { addClients } from './commands/clients.ts';
import type { CommandContext, CommandParent } from './commands/context.ts';
import { addConvert } from './commands/convert.ts';
import { addDiff } from './commands/diff.ts';
import { addDoctor, type Examination } from './commands/doctor.ts';
import { addEvents } from './commands/events.ts';
import { addExceptions } from './commands/exceptions.ts';
import { addExplain } from './commands/explain.ts';
import { addFixPlan } from './commands/fix-plan.ts';
import { addFmt } from './commands/fmt.ts';
import { addImport } from './commands/import.ts';
import { addInit } from './commands/init.ts';
import { addLint } from './commands/lint.ts';
import { addLoad } from './commands/load.ts';
import { addLogin } from './commands/login.ts';
import { addPerson } from './commands/person.ts';
import { addPlan, DETAILED_EXIT_CODE } from './commands/plan.ts';
import { addPredict } from './commands/predict.ts';
import { addReserve } from './commands/reserve.ts';
import { addScan } from './commands/scan.ts';
import { addTenants } from './commands/tenants.ts';
import { addTest } from './commands/test.ts';
import { addVerify } from './commands/verify.ts';
import { addViolations } from './commands/violations.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { addWhoCan } from './commands/who-can.ts';
import { reasonOf } from './files/read-text.ts';
import { CommandFailure, EXIT, type ExitCode } from './output/failure.ts';

/** Adds a command to the program. */
export type AddCommand = (parent: CommandParent) => void;

/** What a program has beside the commands on files and on a service. */
export interface ProgramParts {
  readonly description: string;
  readonly commands: readonly AddCommand[];
  /** What `doctor` examines beside the service; null for nothing. */
  readonly examination: Examination | null;
}

const CLI: ProgramParts = {
  description: 'Rulebooks of separation-of-duties policies as files, and data in and out of the access-admin service.',
  commands: [],
  examination: null,
};

/** Runs the command with its arguments. Resolves with the exit code; what went wrong is written to standard error. */
export async function runCommand(
  args: readonly string[],
  context: CommandContext,
  parts: ProgramParts = CLI,
): Promise<ExitCode> {
  let ended: ExitCode = EXIT.done;
  const run: CommandParent['run'] =
    (action) =>
    async (...given) => {
      ended = await action(...given);
    };
  const program = createProgram(parts, context, run);
  try {
    await program.parseAsync(args, { from: 'user' });
    return ended;
  } catch (error) {
    const code = endWith(error, context);
    return code === EXIT.usage && args.includes(DETAILED_EXIT_CODE) ? EXIT.failed : code;
  }
}

function createProgram(
  { description, commands, examination }: ProgramParts,
  context: CommandContext,
  run: CommandParent['run'],
): Command {
  const program = new Command('access-admin')
    .description(description)
    .version(context.version)
    .option('--format <format>', 'the format of the result: human, json; of gates also junit, sarif, github, markdown')
    .option('--url <address>', 'the address of the service (ACCESS_ADMIN_URL)')
    .option('--client-id <id>', 'the client (ACCESS_ADMIN_CLIENT_ID)')
    .option('--client-secret <secret>', 'its secret (ACCESS_ADMIN_CLIENT_SECRET)')
    .option('--profile <name>', 'a profile saved by `login`')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: (text) => context.output.note(text.trimEnd()) });
  const parent: CommandParent = { program, context, run };
  for (const add of [...COMMANDS, ...commands]) add(parent);
  addDoctor(parent, examination);
  return program;
}

const COMMANDS: readonly AddCommand[] = [
  addInit,
  addFmt,
  addLint,
  addTest,
  addScan,
  addDiff,
  addConvert,
  addVerify,
  addLogin,
  addImport,
  addLoad,
  addPlan,
  addPredict,
  addReserve,
  addExplain,
  addWhoCan,
  addFixPlan,
  addViolations,
  addExceptions,
  addPerson,
  addWebhooks,
  addEvents,
  addClients,
  addTenants,
];

function endWith(error: unknown, { output, signal }: CommandContext): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CommandFailure) {
    output.note(error.message);
    return error.exitCode;
  }
  if (signal.aborted) {
    output.note('stopped');
    return EXIT.failed;
  }
  if (Object(error).code === 'EPIPE') {
    output.note('the reader of the output has left: the output is not complete');
    return EXIT.failed;
  }
  if (typeof Object(error).code === 'string') {
    output.note(`failed: ${reasonOf(error)}`);
    return EXIT.failed;
  }
  throw error;
}
