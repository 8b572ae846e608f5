import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { instantOf, parseRef, parseWhatIfSearch, refsOf, writeRef } from './what-if-search.ts';

test('an address is read as far as it is understood', () => {
  const access = ['ENTITLEMENT:e-1', 'ROLE:a:b'];
  expect(parseWhatIfSearch({ person: 'i-1', access, on: '2027-01-31' })).toEqual({
    person: 'i-1',
    access,
    on: '2027-01-31',
  });
  const odd = { person: 7, access: ['ENTITLEMENT:e-1', 'GROUP:g', 'ROLE:', 'ENTITLEMENT:e-1', 3], on: '2027-13-01' };
  expect(parseWhatIfSearch(odd)).toEqual({ person: '7', access: ['ENTITLEMENT:e-1'] });
  expect(parseWhatIfSearch({ access: 'ROLE:r' })).toEqual({});
});

test('references are written and read back', () => {
  const ref = { type: 'ACCESS_PROFILE', id: 'a:b\nc' } as const;
  expect(parseRef(writeRef(ref))).toEqual(ref);
  expect(refsOf({ access: [writeRef(ref)] })).toEqual([ref]);
});

test('a day begins at midnight of the place of the browser', () => {
  expect(instantOf({})).toEqual({});
  const file = JSON.stringify(fileURLToPath(new URL('what-if-search.ts', import.meta.url)));
  const script = `import { instantOf } from ${file}; console.log(instantOf({ on: '2027-01-31' }).at);`;
  const options = ['--input-type=module', '--eval', script];
  const said = execFileSync(process.execPath, options, { env: { TZ: 'America/New_York' }, encoding: 'utf8' });
  expect(said.trim()).toBe('2027-01-31T05:00:00.000Z');
});
