import { expect, test } from 'vitest';
import { linkRefusalOf } from './link-refusal.ts';

const decided = (
  decision: 'ALLOW' | 'SECOND_FACTOR' | 'BLOCK',
  verifiedBy: 'PASSWORD' | 'APPLICATION' | null,
  ...reasons: Parameters<typeof linkRefusalOf>[0]['reasons'][number][]
) => linkRefusalOf({ decision, verifiedBy, reasons, authProfile: null });

test('a link is refused where the person cannot sign in by it at any address', () => {
  expect(decided('BLOCK', null, 'NO_AUTH_PROFILE')).toBe('no-profile');
  expect(decided('BLOCK', null, 'PROFILE_BLOCKED')).toBe('blocked');
  expect(decided('BLOCK', 'PASSWORD', 'INACTIVE')).toBe('inactive');
  expect(decided('BLOCK', 'APPLICATION', 'APPLICATION_UNKNOWN')).toBe('application-unknown');
  expect(decided('ALLOW', 'APPLICATION')).toBe('application');
});

test('a link is made where it may be used elsewhere or later, or sets up a second factor', () => {
  expect(decided('ALLOW', 'PASSWORD')).toBeNull();
  expect(decided('SECOND_FACTOR', 'PASSWORD', 'SECOND_FACTOR_REQUIRED')).toBeNull();
  expect(decided('SECOND_FACTOR', 'APPLICATION', 'SECOND_FACTOR_REQUIRED')).toBeNull();
  expect(decided('BLOCK', 'PASSWORD', 'OFF_NETWORK')).toBeNull();
  expect(decided('BLOCK', 'PASSWORD', 'LOCKED_OUT')).toBeNull();
});
