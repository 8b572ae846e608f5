import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { root, runQuietly, startProcess } from './run-process.mjs';

const PEERS = join(root, 'tooling/bench/peers');
const MARKER = join(PEERS, 'node_modules', '.access-admin-installed');

/** Runs the benchmarks from their sources. */
export async function bench(stop, args) {
  const node = await prepare(stop);
  if (node === null || !(await installPeers(stop))) return 1;
  const argv = ['--conditions=@access-admin/source', 'tooling/bench/src/main.ts', ...args];
  return (await startProcess(node, argv, { stop }).ended).code;
}

/** The packages to compare with are no part of the workspace: only the benchmarks need them. */
async function installPeers(stop) {
  const wanted = readFileSync(join(PEERS, 'pnpm-lock.yaml'), 'utf8');
  if (existsSync(MARKER) && readFileSync(MARKER, 'utf8') === wanted) return true;
  console.log('access-admin: installing what the benchmarks compare with');
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pnpm = ['npx', '--yes', '--prefer-offline', packageManager];
  const command = [...pnpm, '--dir', PEERS, 'install', '--frozen-lockfile', '--prod=false'];
  if (!(await runQuietly('the installation', command, { stop, env: { ...process.env, CI: 'true' } }))) return false;
  writeFileSync(MARKER, wanted);
  return true;
}
