import { prepareTools } from './prepare.mjs';
import { startProcess } from './run-process.mjs';

/** Builds the site of the documents from `docs/` and from the sources of the contract. With `--serve` it serves the site until it is stopped. */
export async function docs(stop, args) {
  const node = await prepareTools(stop);
  if (node === null) return 1;
  const argv = ['--conditions=@access-admin/source', 'tooling/site/build-site.ts', ...args];
  return (await startProcess(node, argv, { stop }).ended).code;
}
