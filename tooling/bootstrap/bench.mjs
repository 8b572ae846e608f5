import { prepare } from './prepare.mjs';
import { startProcess } from './run-process.mjs';

/** Runs the benchmarks from their sources. */
export async function bench(stop, args) {
  const node = await prepare(stop);
  if (node === null) return 1;
  const argv = ['--conditions=@access-admin/source', 'tooling/bench/src/main.ts', ...args];
  return (await startProcess(node, argv, { stop }).ended).code;
}
