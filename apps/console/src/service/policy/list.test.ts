import type { SodPolicy } from '@access-admin/client';
import { expect, test } from 'vitest';
import { filterHere } from './list.ts';

const named = (name: string) => ({ name }) as SodPolicy;
const policies = ['Vendor master', 'Zahlung über Öl', 'Kế toán'].map(named);

test.each([
  ['vendor', ['Vendor master']],
  ['MASTER', ['Vendor master']],
  ['uber ol', ['Zahlung über Öl']],
  ['ke toan', ['Kế toán']],
  ['zzz', []],
])('the name %j is sought without differences of case and of accents', (name, found) => {
  expect(filterHere(policies, { name }, new Map()).map((policy) => policy.name)).toEqual(found);
});
