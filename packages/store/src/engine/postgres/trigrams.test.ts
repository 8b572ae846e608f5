import { expect, test } from 'vitest';
import type { Query } from '../run-query.ts';
import { trigramFault } from './trigrams.ts';

const faultOf = (found: object) =>
  trigramFault((async () => [
    { isUsable: false, isAvailable: true, isCreated: false, mayCreate: true, ...found },
  ]) as unknown as Query);

test('a database with trigrams, or whose role can create them, can be searched', async () => {
  expect(await faultOf({ isUsable: true, mayCreate: false })).toBeNull();
  expect(await faultOf({})).toBeNull();
});

test('a fault says how to create the extension', async () => {
  expect(await faultOf({ mayCreate: false })).toContain('run "create extension pg_trgm" in the database as its owner');
  expect(await faultOf({ isAvailable: false })).toContain('install the contrib package');
  expect(await faultOf({ isCreated: true })).toContain('alter extension pg_trgm set schema public');
});
