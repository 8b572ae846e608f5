// Behind `npm run backup`: copies the SQLite database to a file, while the service runs.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './run-process.mjs';
import { requireNode, runSqliteCommand } from './sqlite-command.mjs';

const options = { to: { type: 'string' }, overwrite: { type: 'boolean', default: false } };

requireNode();
const { backUpFile } = await import('./sqlite-copies.mjs');
await runSqliteCommand({
  usage: 'usage: npm run backup -- [--to FILE] [--overwrite]',
  options,
  run: async ({ path, values: { to, overwrite }, stop }) => {
    const stamp = new Date().toISOString().replace(/[-:.]/g, '');
    const target = resolve(root, to ?? `var/backups/access-admin-${stamp}.db`);
    await backUpFile(path, target, { overwrite, stop });
    return `access-admin: ${path} is backed up to ${target} (${statSync(target).size} bytes, verified).`;
  },
});
