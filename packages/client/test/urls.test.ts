import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseFilters } from '@access-admin/contract';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccessAdminError, createClient, filter, TokenError } from '../src/index.ts';
import { openStage } from './fixtures.ts';
import { json } from './scripted-server.ts';

const SPECIAL = [
  '&',
  '#',
  '+',
  '%',
  '=',
  '?',
  '/',
  '\\',
  '"',
  "'",
  ';',
  ',',
  ' ',
  '%41',
  '&limit=1',
  '+02:00',
  '😀',
  'é',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 6 })
  .map((parts) => parts.join('').toWellFormed());

/** A server that answers every request with an empty list, and records what it parsed from the request target. */
async function openEcho() {
  const seen: { readonly segments: readonly string[]; readonly query: Readonly<Record<string, readonly string[]>> }[] =
    [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const names = [...new Set(url.searchParams.keys())];
    seen.push({
      segments: url.pathname.split('/').map(decodeURIComponent),
      query: Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)])),
    });
    response.setHeader('content-type', 'application/json').end(url.pathname.endsWith('/violations') ? '' : '[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseAddress = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    seen,
    admin: createClient({ baseAddress, token: 'x' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('every query value and id arrives as it was given', async () => {
  await using echo = await openEcho();
  const { admin, seen } = echo;
  const id = text.filter((drawn) => !['', '.', '..'].includes(drawn));
  await fc.assert(
    fc.asyncProperty(text, text, id, async (filters, sorters, resourceId) => {
      await admin.sodPolicies.page({ filters, sorters, limit: 7, count: true });
      expect(seen.at(-1)?.query).toEqual({ filters: [filters], sorters: [sorters], limit: ['7'], count: ['true'] });
      for (const list of [admin.auditEvents, admin.sodExceptions]) {
        await list.page({ filters, offset: 3 });
        expect(seen.at(-1)?.query).toEqual({ filters: [filters], offset: ['3'] });
      }
      for await (const _ of admin.sodReports.violations(resourceId, { policyId: filters }));
      expect(seen.at(-1)?.query).toEqual({ policyId: [filters], offset: ['0'] });
      expect(seen.at(-1)?.segments).toEqual(['', 'sod-reports', 'v1', resourceId, 'violations']);
      await admin.authUsers.get(resourceId);
      expect(seen.at(-1)).toEqual({ segments: ['', 'auth-users', 'v1', resourceId], query: {} });
    }),
    runs(300),
  );
});

test('a filter has the values that it was written with', () => {
  const fields = {
    name: { operators: ['eq', 'co'], kind: 'text' },
    level: { operators: ['in'], kind: 'text' },
    time: { operators: ['ge'], kind: 'instant' },
  } as const;
  const literal = text.map((drawn) => drawn.replaceAll('\0', ''));
  fc.assert(
    fc.property(
      literal,
      fc.array(literal, { minLength: 1 }),
      fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }),
      (name, levels, time) => {
        const written = filter`name co ${name} and level in ${levels} and time ge ${time}`;
        expect(parseFilters(written, fields)).toEqual({
          ok: true,
          value: [
            { field: 'name', operator: 'co', values: [name] },
            { field: 'level', operator: 'in', values: levels },
            { field: 'time', operator: 'ge', values: [time.toISOString()] },
          ],
        });
      },
    ),
    runs(1_000),
  );
});

test('a filter without a value is written as it is, and an empty list is refused', () => {
  expect(filter`state eq "VOID"`).toBe('state eq "VOID"');
  expect(() => filter`state in ${[]}`).toThrow(AccessAdminError);
});

test('what no URL or header can contain is refused before anything is sent', async () => {
  await using stage = await openStage();
  const { admin, server } = stage;
  for (const call of [
    () => admin.sodPolicies.page({ filters: 'name eq "\ud800"' }),
    () => admin.authUsers.get('\udc00'),
    () => admin.authUsers.setCapabilities('i-1', [], { ifMatch: 'a\r\nb: c' }),
    () => admin.authUsers.setCapabilities('i-1', [], { ifMatch: '€' }),
  ])
    await expect(call()).rejects.toThrow(AccessAdminError);
  expect(server.arrivals).toEqual([]);
  await expect(stage.clientWith({ clientSecret: '\ud800' }).authUsers.get('i-1')).rejects.toThrow(TokenError);
  server.script('GET /sod-policies/v1', json(200, []));
  await expect(admin.sodPolicies.page()).resolves.toMatchObject({ items: [] });
});
