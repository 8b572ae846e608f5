// Behind `npm run restore`: puts a backup in the place of the SQLite database of a service that is stopped.
import { resolve } from 'node:path';
import { root } from './run-process.mjs';
import { Misuse, requireNode, runSqliteCommand } from './sqlite-command.mjs';

requireNode();
const { restoreFile } = await import('./sqlite-copies.mjs');
await runSqliteCommand({
  usage: 'usage: npm run restore -- --from FILE',
  options: { from: { type: 'string' } },
  run: async ({ path, values: { from }, stop }) => {
    if (!from) throw new Misuse('Which backup?');
    const stamp = new Date().toISOString().replace(/[-:.]/g, '');
    const source = resolve(root, from);
    const kept = await restoreFile(source, path, { aside: `${path}.before-${stamp}`, stop });
    const old = kept === null ? 'There was none before.' : `The one before is kept at ${kept}.`;
    return `access-admin: ${path} is now as in ${source}. ${old}`;
  },
});
