import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contextOf } from './context-of.ts';

const filesOf = (env: Readonly<Record<string, string>>) => {
  const { stdin, stdout, stderr } = process;
  const { environment } = contextOf(
    { env, stdin, stdout, stderr },
    {
      version: '0.0.0',
      signal: new AbortController().signal,
      blocking: async (action) => action(),
      threads: null,
      now: () => new Date(0),
      clock: () => 0,
    },
  );
  return [environment.configPath, environment.cachePath];
};

test('the files of the command are in the folders of the XDG variables; an empty one counts as unset', () => {
  const usual = [join(homedir(), '.config/access-admin/config.json'), join(homedir(), '.cache/access-admin')];
  expect(filesOf({})).toEqual(usual);
  expect(filesOf({ XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '' })).toEqual(usual);
  expect(filesOf({ XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/d' })).toEqual([
    '/c/access-admin/config.json',
    '/d/access-admin',
  ]);
});
