import { expect, test } from 'vitest';
import { PACKAGES } from './repository.ts';
import { complaintsOf } from './run-tool.ts';

const withTypes = [...PACKAGES].flatMap(([folder, { scripts }]) =>
  scripts?.['types'] ? [[folder, scripts['types']]] : [],
);

test('biome finds nothing to format or to mend', () => {
  expect(complaintsOf('biome ci --max-diagnostics=100 .')).toBe('');
});

test.each(withTypes)('%s type-checks', (folder, script = '') => {
  expect(complaintsOf(script, folder)).toBe('');
});

test('every package with sources has its types checked', () => {
  expect([...PACKAGES].filter(([, { scripts }]) => !scripts?.['types']).map(([folder]) => folder)).toEqual([]);
});

test('knip finds no unused file, export or dependency', () => {
  expect(complaintsOf('knip --no-progress')).toBe('');
});
