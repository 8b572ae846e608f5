import { describe, expect, test } from 'vitest';
import { ok } from '../result/result.ts';
import { patchResource } from './resource.ts';

interface Door {
  readonly id: string;
  readonly name: string;
  readonly note?: string | null;
  readonly colour: { readonly name: string };
  readonly size: number | null;
  readonly locks: readonly { readonly key: string }[] | null;
  readonly tags: readonly string[];
}

const DOOR: Door = {
  id: 'd-1',
  name: 'Front',
  colour: { name: 'red' },
  size: 2,
  locks: [{ key: 'a' }],
  tags: ['heavy', 'old'],
};

const doors = patchResource<Door>(ok, {
  id: 'readOnly',
  name: 'required',
  note: 'optional',
  colour: 'scalar',
  size: 'nullable',
  locks: 'list',
  tags: 'emptied',
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
    const { note: _, ...others } = { ...DOOR, note: null };
    expect(patched({ op: 'remove', path: '/note' })).toEqual({ ok: true, value: others });
    expect(patched({ op: 'remove', path: '/size' })).toEqual({ ok: true, value: { ...DOOR, note: null, size: null } });
    for (const name of ['name', 'colour'])
      expect(patched({ op: 'remove', path: `/${name}` })).toMatchObject(refusal('IllegalValue', name));
    expect(patched({ op: 'move', path: '/note', from: '/name' })).toMatchObject(refusal('IllegalValue', 'name'));
  });

  test('leaves what is empty of a removed field, for the operations that follow', () => {
    const removed = (path: string, ...following: readonly object[]) => patched({ op: 'remove', path }, ...following);
    const left = (fields: Partial<Door>) => ({ ok: true, value: { ...DOOR, note: null, ...fields } });
    expect(removed('/tags', { op: 'add', path: '/tags/-', value: 'new' })).toEqual(left({ tags: ['new'] }));
    expect(removed('/tags', { op: 'replace', path: '/tags', value: ['new'] })).toEqual(left({ tags: ['new'] }));
    expect(removed('/tags', { op: 'test', path: '/tags', value: [] })).toEqual(left({ tags: [] }));
    expect(removed('/tags/0', { op: 'test', path: '/tags', value: ['old'] })).toEqual(left({ tags: ['old'] }));
    for (const name of ['size', 'locks']) {
      const nothing = { op: 'test', path: `/${name}`, value: null };
      expect(removed(`/${name}`, nothing)).toEqual(left({ [name]: null }));
      expect(removed(`/${name}`, { ...nothing, op: 'replace' }, { op: 'remove', path: `/${name}` })).toEqual(
        left({ [name]: null }),
      );
    }
    const moved = patched({ op: 'move', path: '/size', from: '/locks' }, { op: 'test', path: '/locks', value: null });
    expect(moved).toEqual({ ok: true, value: { ...DOOR, note: null, size: DOOR.locks, locks: null } });
    expect(removed('/note', { op: 'test', path: '/note', value: null })).toMatchObject(
      refusal('IllegalValue', '[1].path'),
    );
  });

  test('replaces the fields that an update has', () => {
    const update: { readonly [K in keyof Door]?: Door[K] } = { note: 'new', size: null };
    expect(doors.replace(DOOR, update)).toEqual({ ok: true, value: { ...DOOR, ...update } });
    // @ts-expect-error: an update that can have no other field
    doors.replace(DOOR, { note: 'new' });
  });

  test('has a rule for every field, or does not compile', () => {
    // @ts-expect-error: without `locks`
    patchResource<Omit<Door, 'tags'>>(ok, {
      id: 'readOnly',
      name: 'required',
      note: 'optional',
      colour: 'scalar',
      size: 'nullable',
    });
    // @ts-expect-error: without `note`, which a resource can leave out
    patchResource<Pick<Door, 'id' | 'name' | 'note'>>(ok, { id: 'readOnly', name: 'required' });
    // @ts-expect-error: without the type of the resource
    patchResource(ok, { name: 'required' });
  });
});
