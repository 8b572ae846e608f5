import * as v from 'valibot';
import { expect, test } from 'vitest';
import { closedObject } from './fields.ts';
import { resourcePatch } from './patch.ts';

const door = v.pipe(
  closedObject({ name: v.string(), note: v.optional(v.string(), ''), id: v.exactOptional(v.string()) }),
  v.transform(({ name, note }) => ({ name, note })),
);

test('a patch leaves what the schema makes of it', () => {
  const doors = resourcePatch(door, { name: 'required', note: 'optional', id: 'readOnly' });
  const patch = doors.parse([{ op: 'remove', path: '/note' }]);
  expect(patch.ok && doors.apply({ id: 'd-1', name: 'Front', note: 'old' }, patch.value)).toEqual({
    ok: true,
    value: { name: 'Front', note: '' },
  });
});

test('a patch has a rule for every field of its schema and for no other, or does not compile', () => {
  // @ts-expect-error: without `note`, which a resource can leave out
  resourcePatch(door, { name: 'required', id: 'readOnly' });
  // @ts-expect-error: without `name`
  resourcePatch(door, { note: 'optional', id: 'readOnly' });
  // @ts-expect-error: with `size`, which the schema does not have
  resourcePatch(door, { name: 'required', note: 'optional', id: 'readOnly', size: 'optional' });
});
