import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { ROOT } from './repository.ts';

/** Runs a command line with the repository's tools on the PATH. Returns its output on failure, and an empty text on success. */
export function complaintsOf(command: string, folder = ''): string {
  const env = { ...process.env, PATH: `${ROOT}node_modules/.bin${delimiter}${process.env['PATH']}`, NO_COLOR: '1' };
  const { status, stdout, stderr, error } = spawnSync(command, {
    cwd: ROOT + folder,
    env,
    encoding: 'utf8',
    shell: true,
  });
  if (status === 0) return '';
  return `${command} in ./${folder} failed:\n${error?.message ?? ''}${stdout}${stderr}`;
}
