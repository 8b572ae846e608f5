import { join } from 'node:path';
import { prepare, prepareTools } from './prepare.mjs';
import { root, startProcess } from './run-process.mjs';

const SOURCES = '--conditions=@access-admin/source';
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--root', '.'];

/** Runs the built service: API, worker and console, with the sample in an empty store, until it is stopped. */
export const start = async (stop, args) =>
  run(await prepare(stop), ['apps/server/bin/access-admin.mjs', 'serve', ...args], { stop, hasChannel: true });

/** Runs the fault-injection campaigns from their sources, against the built apps. */
export const proof = async (stop, args) =>
  run(await prepare(stop), [SOURCES, 'tooling/proof/src/main.ts', ...args], { stop });

/** Builds the site of the documents from `docs/` and from the sources of the contract. With `--serve` it serves the site until it is stopped. */
export const docs = async (stop, args) =>
  run(await prepareTools(stop), [SOURCES, 'tooling/site/build-site.ts', ...args], { stop });

/** Takes every picture of the documents anew, of the built console with the sample. Needs a Chromium. */
export const pictures = async (stop) =>
  run(await prepare(stop), [...VITEST, '--project', 'e2e', 'tooling/e2e/pictures'], {
    stop,
    env: { ...process.env, DEPTH: 'full', PICTURES: join(root, 'docs/pictures') },
  });

/** Sends the requests of the examples to the built API, and records its answers. */
export const examples = async (stop) =>
  run(await prepare(stop), [...VITEST, '--project', 'e2e', 'tooling/e2e/openapi-examples.test.ts', '--update'], {
    stop,
    env: { ...process.env, DEPTH: 'full' },
  });

/** Runs a program of the repository on a Node that was found. Returns its exit code. */
async function run(node, argv, options) {
  return node === null ? 1 : (await startProcess(node, argv, options).ended).code;
}
