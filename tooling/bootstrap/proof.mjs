import { prepare } from './prepare.mjs';
import { startProcess } from './run-process.mjs';

/** Runs the fault-injection campaigns from their sources, against the built apps. */
export async function proof(stop, args) {
  const node = await prepare(stop);
  if (node === null) return 1;
  const argv = ['--conditions=@access-admin/source', 'tooling/proof/src/main.ts', ...args];
  return (await startProcess(node, argv, { stop }).ended).code;
}
