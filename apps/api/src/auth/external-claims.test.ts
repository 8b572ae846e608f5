import { expect, test } from 'vitest';
import { parseClaimMapping, STANDARD_CLAIMS } from './external-claims.ts';

const parse = (mapping: unknown) => parseClaimMapping(JSON.stringify(mapping));

test('what a mapping leaves out is as in tokens of RFC 9068', () => {
  expect(parse({})).toEqual(STANDARD_CLAIMS);
  expect(parse({ tenant: { value: 'acme' }, typ: ['JWT', null, 'application/AT+JWT'] })).toEqual({
    ...STANDARD_CLAIMS,
    tenant: [{ value: 'acme' }],
    types: ['jwt', null, 'at+jwt'],
  });
});

test('a mapped identity is required unless it is called optional', () => {
  expect(parse({ identity: { claim: 'oid' } })?.identity).toMatchObject({ isOptional: false, unless: null });
  expect(parse({ identity: { from: { claim: ['a', 'b'] }, optional: true } })?.identity).toEqual({
    from: [{ claim: ['a', 'b'] }],
    isOptional: true,
    unless: null,
  });
});

test.each([
  '',
  '[]',
  'null',
  '{"tenant":{"value":"Acme"}}',
  '{"tenant":{"value":"acme"},"tenant":{"value":"beta"}}',
  '{"tenant":"acme"}',
  '{"tenants":{"value":"acme"}}',
  '{"tenant":{"claim":"tid","value":"acme"}}',
  '{"tenant":[]}',
  '{"client":{"claim":""}}',
  '{"client":{"claim":[]}}',
  '{"client":{"claim":["a",7]}}',
  '{"client":{"value":"x"},"typ":"JWT"}',
  '{"scopes":{"value":"auth-users:read"}}',
  '{"scopes":{"value":["auth-users:reed"]}}',
  '{"identity":{"from":{"claim":"oid"},"optional":"yes"}}',
  '{"identity":{"from":{"claim":"oid"},"unless":{"claim":"idtyp"}}}',
  '{"typ":[]}',
  '{"typ":7}',
])('%s is no mapping', (text) => {
  expect(parseClaimMapping(text)).toBeNull();
});
