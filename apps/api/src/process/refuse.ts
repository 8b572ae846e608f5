/** Ends the process with a message for the operator. */
export function refuse(text: string, exitCode: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(exitCode);
}

/** Ends the process because its store cannot be opened. */
export const refuseStore = (error: Error): never =>
  refuse(`The store cannot be opened: ${String(error.cause ?? error.message)}`, 1);
