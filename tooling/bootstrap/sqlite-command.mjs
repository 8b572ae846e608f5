import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './run-process.mjs';
import { watchForStop } from './watch-for-stop.mjs';

const NODE_MAJOR_MIN = 24;

/** An invalid call of the command. Its message names the correction. */
export class Misuse extends Error {}

/**
 * Runs a command on the SQLite file of `DATABASE_URL` and ends the process: 0 done, 1 not possible, 2 called wrongly.
 * `run` is given the path, the parsed options and a signal, and resolves with what to print.
 */
export async function runSqliteCommand({ usage, options, run }) {
  const stop = watchForStop();
  try {
    const { path, values } = readCall(options);
    console.log(await run({ path, values, stop }));
  } catch (error) {
    const isMisuse = error instanceof Misuse;
    if (!stop.aborted) console.error(`access-admin: ${error.message}${isMisuse ? `\n${usage}` : ''}`);
    process.exit(stop.aborted ? stop.reason.exitCode : isMisuse ? 2 : 1);
  }
}

/** Throws on an older Node, which cannot read the database. */
export function requireNode() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major >= NODE_MAJOR_MIN) return;
  console.error(
    `access-admin needs Node ${NODE_MAJOR_MIN} or newer here; this is Node ${process.versions.node}. Run it through npm, after npm run setup.`,
  );
  process.exit(1);
}

function readCall(options) {
  const url = process.env.DATABASE_URL || 'sqlite:var/access-admin.db';
  if (/^postgres(ql)?:/.test(url)) {
    throw new Misuse(
      'DATABASE_URL names a PostgreSQL database: use pg_dump and pg_restore, see docs/operations/running.md.',
    );
  }
  if (!/^sqlite:(?!:memory:$).+$/.test(url)) throw new Misuse('DATABASE_URL must be sqlite:<path of a file>.');
  // Relative to the checkout, as for the API that `npm start` starts.
  return { path: resolve(root, url.slice('sqlite:'.length)), values: parse(options) };
}

function parse(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Misuse(error.message);
  }
}
