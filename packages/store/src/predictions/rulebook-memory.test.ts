import { compileSodIndex, sodIndexBytes } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { createRulebookMemory } from './rulebook-memory.ts';

const index = compileSodIndex([], { entitlements: [], accessProfiles: [], roles: [] });
const large = compileSodIndex([], {
  entitlements: Array.from({ length: 1_000 }, (_, place) => ({
    id: `e-${place}`,
    name: 'An entitlement',
    source: null,
  })),
  accessProfiles: [],
  roles: [],
});
const rulebook = { index, policySetVersion: 1, changeId: null };
const ROOM = sodIndexBytes(index) + 1_024;

test('keeps rulebooks within its bytes and drops the least recently used', () => {
  const memory = createRulebookMemory(ROOM * 2);
  memory.keep('a', rulebook);
  memory.keep('b', rulebook);
  expect(memory.get('a')).toMatchObject(rulebook);
  memory.keep('c', rulebook);
  expect(memory.get('b')).toBeNull();
  expect([memory.get('a'), memory.get('c')]).toMatchObject([rulebook, rulebook]);
});

test('the one last kept stays, however large it is', () => {
  const memory = createRulebookMemory(ROOM * 2);
  memory.keep('a', rulebook);
  memory.keep('b', { ...rulebook, index: large });
  expect(memory.get('a')).toBeNull();
  expect(memory.get('b')?.index).toBe(large);
  memory.keep('a', rulebook);
  expect(memory.get('b')).toBeNull();
  expect(memory.get('a')?.index).toBe(index);
});

test('a rulebook that replaces another keeps the numbers of its catalogue, until the tenant is forgotten', () => {
  const memory = createRulebookMemory(ROOM * 2);
  const { catalogueId } = memory.keep('a', rulebook);
  expect(memory.keep('a', { ...rulebook, policySetVersion: 2 }).catalogueId).toBe(catalogueId);
  expect(memory.keep('b', rulebook).catalogueId).not.toBe(catalogueId);
  memory.forget('a');
  expect(memory.get('a')).toBeNull();
  expect(memory.keep('a', rulebook).catalogueId).not.toBe(catalogueId);
});
