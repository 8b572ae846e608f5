import { join } from 'node:path';
import { ROOT } from '../machine/root.ts';
import { type ProcessOptions, type RunningProcess, startProcess } from './start.ts';

export type App = 'api' | 'worker';

/** The options that `npm start` gives to Node. */
const NODE_OPTIONS: Readonly<Record<App, readonly string[]>> = {
  api: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'],
  worker: ['--single-threaded-gc'],
};

export interface AppOptions extends ProcessOptions {
  /** The root folder of the built checkout to start the app of; by default this checkout. */
  readonly checkout?: string;
}

/** Starts API or worker from its build, on the Node that runs this process. */
export const startApp = (app: App, { checkout = ROOT, ...options }: AppOptions): RunningProcess =>
  startProcess([process.execPath, ...NODE_OPTIONS[app], join(checkout, 'apps', app, 'dist/main.js')], options);

const fromSources = [process.execPath, '--conditions=@access-admin/source'] as const;
const LOAD_JSX = join(import.meta.dirname, 'load-jsx.ts');
// Stripping types and compiling take half of the time of a start.
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/access-admin-sources');

/** Starts API or worker from its TypeScript sources, without a build. */
export const startAppFromSources = (app: App, { env, ...options }: ProcessOptions): RunningProcess =>
  startProcess([...fromSources, `--import=${LOAD_JSX}`, join(ROOT, 'apps', app, 'src/main.ts')], {
    ...options,
    env: { NODE_COMPILE_CACHE, ...env },
  });

/** Runs a TypeScript module and the sources of the packages that it imports. */
export const startNode = (module: string, args: readonly string[], options: ProcessOptions): RunningProcess =>
  startProcess([...fromSources, module, ...args], options);
