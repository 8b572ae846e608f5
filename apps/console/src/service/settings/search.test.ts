import { expect, test } from 'vitest';
import { parseAuthProfileSearch, parseWebhookSearch } from './search.ts';

test('an address is read as far as it is understood', () => {
  expect(parseAuthProfileSearch({ profile: 'ip-1', person: 7, ip: '2001:db8::1', country: '', odd: 'x' })).toEqual({
    profile: 'ip-1',
    person: '7',
    ip: '2001:db8::1',
  });
  expect(parseWebhookSearch({ webhook: ['w'] })).toEqual({});
});
