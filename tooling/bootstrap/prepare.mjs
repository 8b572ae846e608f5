import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, runQuietly } from './run-process.mjs';

const NODE_MAJOR_MIN = 24;
const MARKER = join(root, 'node_modules', '.access-admin-installed');

/** Installs and builds what has changed. Returns the path of a Node that runs the product, or null after printing the reason. */
export async function prepare(stop) {
  const ready = (await install(stop)) && (await build(stop));
  return ready ? findNode() : null;
}

/** Installs what has changed, without a build. Returns as `prepare` does. */
export async function prepareTools(stop) {
  return (await install(stop)) ? findNode() : null;
}

/** The command line and environment of a tool of this repository. */
export const toolCommand = (...words) => ({ command: [...pnpm(), 'exec', ...words], env: toolEnv() });

async function install(stop) {
  const wanted = fingerprint();
  if (existsSync(MARKER) && readFileSync(MARKER, 'utf8') === wanted) return true;
  console.log('access-admin: installing dependencies');
  rmSync(MARKER, { force: true });
  const command = [...pnpm(), 'install', '--frozen-lockfile', '--prod=false'];
  if (!(await runQuietly('the installation', command, { stop, env: toolEnv() }))) return false;
  writeFileSync(MARKER, wanted);
  return true;
}

function build(stop) {
  if (!existsSync(join(root, 'apps/api/dist'))) console.log('access-admin: building');
  const { command, env } = toolCommand('turbo', 'run', 'build', '--output-logs=new-only');
  return runQuietly('the build', command, { stop, env });
}

// The exact pnpm version of the project, not that of the machine. Turbo needs it on its PATH.
const pnpm = () => [
  'npx',
  '--yes',
  '--prefer-offline',
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager,
];

// Called after the installation, which may bring a Node.
function findNode() {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const candidates = [join(root, 'node_modules/.bin/node'), process.execPath, ...onPath];
  const node = candidates.find((path) => majorOf(path) >= NODE_MAJOR_MIN);
  if (node !== undefined) return node;
  console.error(
    `access-admin: the npm package that brings Node ${NODE_MAJOR_MIN} did not install, and there is no Node ${NODE_MAJOR_MIN} or newer on the PATH.`,
  );
  return null;
}

function majorOf(path) {
  try {
    return existsSync(path) ? Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'])) : 0;
  } catch {
    return 0;
  }
}

function fingerprint() {
  const folders = ['packages', 'apps', 'tooling'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  );
  const manifests = ['.', ...folders].map((folder) => join(folder, 'package.json')).sort();
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests]) {
    if (existsSync(join(root, path))) hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

// npm puts the Node of this repository in front of the one that npm itself runs on; tools run on the latter. With
// NODE_ENV=production pnpm would not install the compiler.
function toolEnv() {
  const { NODE_ENV: _, ...env } = process.env;
  const ours = join(root, 'node_modules', '.bin');
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== ours);
  return { ...env, PATH: path.join(delimiter), CI: 'true', DO_NOT_TRACK: '1', TURBO_TELEMETRY_DISABLED: '1' };
}
