import { describe, expect, test } from 'vitest';
import { ok } from '../result/result.ts';
import { patchResource } from './resource.ts';

interface Door {
  readonly id: string;
  readonly name: string;
  readonly note?: string | null;
  readonly colour: { readonly name: string };
  readonly size: number | null;
  readonly locks: readonly { readonly key: string }[];
}

const DOOR: Door = { id: 'd-1', name: 'Front', colour: { name: 'red' }, size: 2, locks: [{ key: 'a' }] };

const doors = patchResource<Door>(ok, {
  id: 'readOnly',
  name: 'required',
  note: 'optional',
  colour: 'scalar',
  size: 'nullable',
  locks: 'list',
});

function patched(...operations: readonly object[]) {
  const patch = doors.parse(operations);
  return patch.ok ? doors.apply(DOOR, patch.value) : patch;
}

const refusal = (type: string, at: string) => ({ ok: false, failure: { type, causes: [{ at }] } });

describe('a patch of a resource', () => {
  test('changes what its rules allow, and what the resource leaves out is null', () => {
    const operations = [
      { op: 'test', path: '/note', value: null },
      { op: 'replace', path: '/note', value: { of: ['any', 'depth'] } },
      { op: 'replace', path: '/note/of/1', value: 'shape' },
      { op: 'replace', path: '/colour', value: 'blue' },
      { op: 'add', path: '/locks/-', value: { key: 'b' } },
    ];
    const value = {
      ...DOOR,
      note: { of: ['any', 'shape'] },
      colour: 'blue',
      locks: [{ key: 'a' }, { key: 'b' }],
    };
    expect(patched(...operations)).toEqual({ ok: true, value });
  });

  test.each(['', '/', '/id', '/other', '/constructor', '/colour/name', '/locks/0/key'])(
    'does not touch %j, not even to test or to copy it',
    (path) => {
      for (const op of ['add', 'remove', 'replace', 'test'])
        expect(patched({ op, path, value: 'x' })).toMatchObject(refusal('IllegalUpdate', '[0].path'));
      expect(patched({ op: 'copy', path: '/note', from: path })).toMatchObject(refusal('IllegalUpdate', '[0].from'));
    },
  );

  test('removes all but required and scalar fields, also by moving them', () => {
    expect(patched({ op: 'remove', path: '/size' })).toEqual({
      ok: true,
      value: { id: 'd-1', name: 'Front', note: null, colour: { name: 'red' }, locks: [{ key: 'a' }] },
    });
    for (const name of ['name', 'colour'])
      expect(patched({ op: 'remove', path: `/${name}` })).toMatchObject(refusal('IllegalValue', name));
    expect(patched({ op: 'move', path: '/note', from: '/name' })).toMatchObject(refusal('IllegalValue', 'name'));
  });

  test('replaces the fields that an update has', () => {
    const update: { readonly [K in keyof Door]?: Door[K] } = { note: 'new', size: null };
    expect(doors.replace(DOOR, update)).toEqual({ ok: true, value: { ...DOOR, ...update } });
    // @ts-expect-error: an update that can have no other field
    doors.replace(DOOR, { note: 'new' });
  });

  test('has a rule for every field, or does not compile', () => {
    // @ts-expect-error: without `locks`
    patchResource<Door>(ok, { id: 'readOnly', name: 'required', note: 'optional', colour: 'scalar', size: 'nullable' });
    // @ts-expect-error: without `note`, which a resource can leave out
    patchResource<Door>(ok, { id: 'readOnly', name: 'required', colour: 'scalar', size: 'nullable', locks: 'list' });
    // @ts-expect-error: without the type of the resource
    patchResource(ok, { name: 'required' });
  });
});
