import { expect, test } from 'vitest';
import { UNSET_BRANDING } from '../../administration/branding/branding.ts';
import { brandingChanges } from './branding-changes.ts';

const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n0', 'latin1').toString('base64')}`;

test('the audit log has the size of a logo in place of its content', () => {
  const after = { title: 'One', logo: PNG, helpText: null };
  expect(brandingChanges(UNSET_BRANDING, after)).toEqual([
    { field: 'title', before: null, after: 'One' },
    { field: 'logo', before: null, after: 'image/png, 9 of at most 65536 bytes' },
  ]);
});
