import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseRef, parseWhatIfSearch, periodOf, refsOf, writeRef } from './what-if-search.ts';

test('an address is read as far as it is understood', () => {
  const access = ['ENTITLEMENT:e-1', 'ROLE:a:b'];
  expect(parseWhatIfSearch({ person: 'i-1', access, from: '2027-01-31', until: '2027-02-28' })).toEqual({
    person: 'i-1',
    access,
    from: '2027-01-31',
    until: '2027-02-28',
  });
  const odd = { person: 7, access: ['ENTITLEMENT:e-1', 'GROUP:g', 'ROLE:', 'ENTITLEMENT:e-1', 3], from: '2027-13-01' };
  expect(parseWhatIfSearch(odd)).toEqual({ person: '7', access: ['ENTITLEMENT:e-1'] });
  expect(parseWhatIfSearch({ access: 'ROLE:r' })).toEqual({});
});

test('references are written and read back', () => {
  const ref = { type: 'ACCESS_PROFILE', id: 'a:b\nc' } as const;
  expect(parseRef(writeRef(ref))).toEqual(ref);
  expect(refsOf({ access: [writeRef(ref)] })).toEqual([ref]);
});

test('a period begins and ends at midnight of the place of the browser, after its last day', () => {
  expect(periodOf({})).toEqual({});
  const file = JSON.stringify(fileURLToPath(new URL('what-if-search.ts', import.meta.url)));
  const script = `import { periodOf } from ${file}; console.log(JSON.stringify(periodOf({ from: '2027-01-31', until: '2027-03-14' })));`;
  const options = ['--input-type=module', '--eval', script];
  const said = execFileSync(process.execPath, options, { env: { TZ: 'America/New_York' }, encoding: 'utf8' });
  // The clocks change on the last day.
  expect(JSON.parse(said)).toEqual({ start: '2027-01-31T05:00:00.000Z', end: '2027-03-15T04:00:00.000Z' });
});
