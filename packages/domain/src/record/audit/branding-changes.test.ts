import { expect, test } from 'vitest';
import { UNSET_BRANDING } from '../../administration/branding.ts';
import { brandingChanges } from './branding-changes.ts';

const logoOf = (length: number) => `data:image/png;base64,${Buffer.alloc(length).toString('base64')}`;

test.each([61, 62, 63])('the audit log has the size of a logo in place of its content: %i bytes', (length) => {
  const after = { title: 'One', logo: logoOf(length), helpText: null };
  expect(brandingChanges(UNSET_BRANDING, after)).toEqual([
    { field: 'title', before: null, after: 'One' },
    { field: 'logo', before: null, after: `image/png, ${length} bytes` },
  ]);
});
