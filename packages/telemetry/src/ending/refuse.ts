/** Ends the process with a message for the operator. */
export function refuse(text: string, exitCode: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(exitCode);
}
