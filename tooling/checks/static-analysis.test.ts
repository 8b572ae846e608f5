import { expect, test } from 'vitest';
import { PACKAGES, read } from './repository.ts';
import { complaintsOf } from './run-tool.ts';

const { packageManager } = JSON.parse(read('package.json'));

test('biome finds nothing to format or to fix', () => {
  expect(complaintsOf('biome ci --max-diagnostics=100 .')).toBe('');
});

test('all packages type-check', () => {
  const turbo = 'turbo run types --continue --output-logs=errors-only';
  expect(complaintsOf(`npx --yes --prefer-offline ${packageManager} exec ${turbo}`)).toBe('');
});

test('every package has a script that checks its types', () => {
  expect([...PACKAGES].filter(([, { scripts }]) => !scripts?.['types']).map(([folder]) => folder)).toEqual([]);
});

test('knip finds no unused file, export or dependency', () => {
  expect(complaintsOf('knip --no-progress')).toBe('');
});
