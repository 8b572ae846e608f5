import type { Control } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { controlPatch } from './controls.ts';

const BEFORE = '2026-01-01T00:00:00.000Z';
const owner = (id: string, name: string | null = null) => ({ type: 'IDENTITY', id, name }) as const;
const CONTROL: Control = {
  id: 'c-1',
  name: 'Second signature',
  description: null,
  owner: owner('i-ada'),
  secondaryOwners: [owner('i-bea'), owner('i-cy')],
  type: 'Mitigation',
  expiration: '20d',
  justificationRequired: false,
  created: BEFORE,
  modified: BEFORE,
};

/** The outcome of a patch: of its parse where that fails. */
function patched(...operations: readonly object[]) {
  const patch = controlPatch.parse(operations);
  return patch.ok ? controlPatch.apply(CONTROL, patch.value) : patch;
}

describe('a patch of a control', () => {
  test.each([
    ['name', 'Other'],
    ['description', 'Signed by two'],
    ['owner', owner('i-dan')],
    ['secondaryOwners', []],
    ['expiration', '48h'],
    ['justificationRequired', true],
  ])('may replace %s', (name, value) => {
    expect(patched({ op: 'replace', path: `/${name}`, value })).toMatchObject({
      ok: true,
      value: { [name]: value },
    });
  });

  test.each(['id', 'type', 'created', 'modified', 'other'])('may not touch %s', (name) => {
    for (const op of ['add', 'replace', 'remove', 'test'])
      expect(patched({ op, path: `/${name}`, value: 'x' })).toMatchObject({
        ok: false,
        failure: { type: 'IllegalUpdate' },
      });
  });

  test.each(['name', 'expiration', 'justificationRequired', 'secondaryOwners'])('may not remove %s', (name) => {
    expect(patched({ op: 'remove', path: `/${name}` })).toEqual({
      ok: false,
      failure: { type: 'IllegalValue', causes: [{ at: name, text: 'must not be removed' }] },
    });
  });

  test.each(['description', 'owner'])('may remove %s, which may be null', (name) => {
    expect(patched({ op: 'remove', path: `/${name}` })).toMatchObject({ ok: true });
  });
});
