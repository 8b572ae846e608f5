import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { root, startProcess } from './run-process.mjs';

/** Takes every picture of the documents anew, of the built console with the sample. Needs a Chromium. */
export async function pictures(stop) {
  const node = await prepare(stop);
  if (node === null) return 1;
  const argv = ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--project', 'e2e', 'tooling/e2e/pictures'];
  const env = { ...process.env, DEPTH: 'full', PICTURES: join(root, 'docs/pictures') };
  return (await startProcess(node, argv, { stop, env }).ended).code;
}
