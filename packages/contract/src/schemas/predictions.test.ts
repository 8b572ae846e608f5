import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validate } from '../validation/validate.ts';
import { addedRefs, identityWithNewAccess } from './predictions.ts';

const ref = { type: 'ENTITLEMENT', id: 'e1' };
const request = { identityId: 'i1', accessRefs: [ref] };
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));

describe('identityWithNewAccess', () => {
  test.each([
    ['no access refs at all', { identityId: 'i1', accessRefs: [] }],
    ['the same ref twice', { identityId: 'i1', accessRefs: [ref, ref] }],
    ['500 refs', { identityId: 'i1', accessRefs: Array(500).fill(ref) }],
    ['a ref with a display name', { identityId: 'i1', accessRefs: [{ ...ref, name: 'E' }] }],
    ['a ref with members that are not known', { identityId: 'i1', accessRefs: [{ ...ref, foo: 1, description: {} }] }],
    ['50 metadata keys', { ...request, clientMetadata: keys(50) }],
    ['metadata at its lengths', { ...request, clientMetadata: { ['k'.repeat(64)]: '😀'.repeat(512) } }],
    ['no metadata', { ...request, clientMetadata: null }],
  ])('accepts %s', (_, body) => {
    expect(validate(identityWithNewAccess, body)).toMatchObject({ ok: true });
  });

  test('treats a body of the required properties like one with explicit defaults', () => {
    const text = fc.constantFrom('e1', '', 'ENTITLEMENT', 'ROLE', 'ACCESS_PROFILE', 'IDENTITY');
    const odd = fc.constantFrom(undefined, null, 1, [], {});
    const member = fc.oneof({ weight: 8, arbitrary: text }, odd);
    const refs = fc.oneof(
      fc.record({ type: member, id: member }, { requiredKeys: [] }),
      fc.record({ type: text, id: text, other: text }, { requiredKeys: ['type', 'id'] }),
      fc.record({ type: text, id: text, constructor: text }, { requiredKeys: ['type'] }),
      odd,
    );
    const lists = fc.oneof(
      { weight: 8, arbitrary: fc.array(refs, { maxLength: 3 }) },
      fc.constant(Array(501).fill(ref)),
      odd,
    );
    const bodies = fc.record(
      { identityId: member, accessRefs: lists, other: text, constructor: text },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(bodies, (body) => {
        expect(validate(identityWithNewAccess, body)).toEqual(
          validate(identityWithNewAccess, { ...body, clientMetadata: null }),
        );
      }),
      runs(5_000),
    );
  });

  test('keeps metadata keys that are names of JavaScript properties', () => {
    const body = JSON.parse(
      '{"identityId":"i","accessRefs":[],"clientMetadata":{"__proto__":"a","constructor":"b","toString":"c"}}',
    );
    const parsed = validate(identityWithNewAccess, body);
    expect(JSON.stringify(parsed.ok && parsed.value.clientMetadata)).toBe(
      '{"__proto__":"a","constructor":"b","toString":"c"}',
    );
  });

  test.each([
    ['a list as body', [], 'MalformedBody', ''],
    ['null as body', null, 'MalformedBody', ''],
    ['an unknown property', { ...request, foo: 1 }, 'MalformedBody', 'foo'],
    [
      'an end in another spelling beside unknown members',
      { identityId: 'i', accessRefs: [{ ...ref, foo: 1, endDate: '2027-01-01T00:00:00Z' }] },
      'MalformedBody',
      'accessRefs[0].endDate',
    ],
    ['a missing identityId', { accessRefs: [] }, 'RequiredMissing', 'identityId'],
    ['an empty identityId', { identityId: '', accessRefs: [] }, 'RequiredMissing', 'identityId'],
    ['an identityId of another type', { identityId: 7, accessRefs: [] }, 'IllegalValue', 'identityId'],
    ['missing accessRefs', { identityId: 'i' }, 'RequiredMissing', 'accessRefs'],
    ['accessRefs of another type', { identityId: 'i', accessRefs: {} }, 'IllegalValue', 'accessRefs'],
    ['a ref that is no object', { identityId: 'i', accessRefs: ['e1'] }, 'IllegalValue', 'accessRefs[0]'],
    ['a missing ref type', { identityId: 'i', accessRefs: [{ id: 'e1' }] }, 'RequiredMissing', 'accessRefs[0].type'],
    [
      'an unknown ref type',
      { identityId: 'i', accessRefs: [ref, { type: 'entitlement', id: 'e1' }] },
      'IllegalValue',
      'accessRefs[1].type',
    ],
    ['501 refs', { identityId: 'i', accessRefs: Array(501).fill(ref) }, 'LimitExceeded', 'accessRefs'],
    ['metadata that is a list', { ...request, clientMetadata: [] }, 'IllegalValue', 'clientMetadata'],
    ['51 metadata keys', { ...request, clientMetadata: keys(51) }, 'LimitExceeded', 'clientMetadata'],
    [
      'a metadata key of 65 characters',
      { ...request, clientMetadata: { ['k'.repeat(65)]: '' } },
      'LengthOutOfRange',
      `clientMetadata.${'k'.repeat(64)}`,
    ],
    [
      'a metadata value of 513 characters',
      { ...request, clientMetadata: { k: 'v'.repeat(513) } },
      'LengthOutOfRange',
      'clientMetadata.k',
    ],
    [
      'a metadata value that is no string',
      { ...request, clientMetadata: { k: 1 } },
      'IllegalValue',
      'clientMetadata.k',
    ],
  ])('rejects %s', (_, body, type, at) => {
    expect(validate(identityWithNewAccess, body)).toMatchObject({ ok: false, failure: { type, causes: [{ at }] } });
  });

  describe('a member of a ref that it does not know', () => {
    const joined = (ends: readonly string[]) => [
      '',
      ...ends.flatMap((end) => ['', '_', '-'].map((joint) => joint + end)),
    ];
    const words = ['start', 'end'].flatMap((word) => joined(['s']).map((plural) => word + plural));
    const windows = words.flatMap((word) => joined(['date', 'at', 'time']).map((suffix) => word + suffix));
    const exact = ['validFrom', 'validTo', 'from', 'to', 'until'];
    const known = new Set(['type', 'id', 'name', 'start', 'end']);
    const isWindow = (name: string) => windows.includes(name.toLowerCase()) || exact.includes(name);

    const inAnyCase = (word: string) =>
      fc
        .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
        .map((upper) => [...word].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''));
    const spelling = fc.oneof(fc.constantFrom(...windows).chain(inAnyCase), fc.constantFrom(...exact));
    /** Up to two edits away from a spelling of the window. */
    const neighbor = fc
      .tuple(
        spelling,
        fc.array(fc.tuple(fc.nat(12), fc.nat(1), fc.constantFrom('', 'x', 's', '_', 'T')), { maxLength: 2 }),
      )
      .map(([name, edits]) =>
        edits.reduce((edited, [at, removed, added]) => edited.slice(0, at) + added + edited.slice(at + removed), name),
      );
    const common = fc.constantFrom(
      'kind',
      'uid',
      'dn',
      'env',
      'ext',
      'state',
      'sort',
      'startup',
      'sender',
      'send',
      'total',
    );
    const anyName = fc
      .oneof(spelling, neighbor, common, fc.string({ maxLength: 12 }))
      .filter((name) => !known.has(name));

    test('is refused where it is another spelling of its window, and ignored where it is none', () => {
      fc.assert(
        fc.property(anyName, fc.constantFrom('2027-01-01T00:00:00Z', null, 1, {}), (name, value) => {
          const given = JSON.parse(`{"type":"ROLE","id":"r1",${JSON.stringify(name)}:${JSON.stringify(value)}}`);
          const causes = (at: string) => ({ ok: false, failure: { type: 'MalformedBody', causes: [{ at }] } });
          const plain = { ok: true, value: [{ type: 'ROLE', id: 'r1' }] };
          const predicted = validate(identityWithNewAccess, { identityId: 'i1', accessRefs: [ref, given] });
          if (isWindow(name)) {
            expect(predicted).toMatchObject(causes(`accessRefs[1].${name}`));
            expect(validate(addedRefs, [given])).toMatchObject(causes(`[0].${name}`));
          } else {
            expect(predicted).toEqual(
              validate(identityWithNewAccess, { identityId: 'i1', accessRefs: [ref, plain.value[0]] }),
            );
            expect(validate(addedRefs, [given])).toEqual(plain);
          }
        }),
        runs(5_000),
      );
    });

    test.each(['start', 'end'])('is refused where it is %s and the ref has no window', (name) => {
      expect(validate(addedRefs, [{ ...ref, [name]: '2027-01-01T00:00:00Z' }])).toMatchObject({ ok: false });
    });
  });

  test('the most severe issue decides the type, and no value is quoted', () => {
    const parsed = validate(identityWithNewAccess, {
      identityId: 7,
      accessRefs: [{ type: 'canary', id: '' }],
      x: 'canary',
    });
    expect(parsed).toMatchObject({ ok: false, failure: { type: 'MalformedBody' } });
    expect(JSON.stringify(parsed)).not.toContain('canary');
  });
});
