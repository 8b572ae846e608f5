import { expect, test } from 'vitest';
import { tenantOfHost } from './base-address.ts';

test.each([
  ['https://{tenant}.api.example.com', 'acme.api.example.com', 'acme'],
  ['https://{tenant}.api.example.com', 'ACME.API.example.com', 'acme'],
  ['https://{tenant}.api.example.com', 'acme.api.example.com:443', 'acme'],
  ['https://{tenant}.api.example.com', 'acme.api.example.com:8443', null],
  ['https://{tenant}.api.example.com', 'a.b.api.example.com', null],
  ['https://{tenant}.api.example.com', 'api.example.com', null],
  ['https://{tenant}.api.example.com', '', null],
  ['https://{tenant}.API.example.com:443', 'acme.api.example.com', 'acme'],
  ['http://API-{tenant}.example.com:8080', 'api-acme.example.com:8080', 'acme'],
  ['http://API-{tenant}.example.com:8080', 'api-acme.example.com', null],
  ['http://{tenant}', 'acme:80', 'acme'],
])('the tenant of %s with the host %s is %s', (baseAddress, host, tenant) => {
  expect(tenantOfHost(baseAddress, host)).toBe(tenant);
});
