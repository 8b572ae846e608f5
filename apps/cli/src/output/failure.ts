/**
 * How the command ends: done and clean, failed, called wrongly, stopped by a gate (`--fail-on`, or policies that have changed
 * since a plan), or, of a plan that was asked for it, with changes to make.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, gate: 3, changes: 2 } as const;

/** One of the exit codes of `EXIT`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message for its user. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends the command because of how it was called. */
export const calledWrongly = (message: string): CommandFailure => new CommandFailure(message, EXIT.usage);
