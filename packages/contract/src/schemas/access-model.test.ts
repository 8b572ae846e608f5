import { describe, expect, test } from 'vitest';
import { jsonSchema } from '../validation/json-schema.ts';
import { validate } from '../validation/validate.ts';
import { accessModelRecord } from './access-model.ts';
import { conflictingAccessCriteria } from './policies.ts';

const side = (...ids: string[]) => ({ criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })) });
const given = (...ids: string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id, name: null })),
});

describe('criteria of a policy', () => {
  test.each<[string, object, object]>([
    [
      'two sides',
      { leftCriteria: side('a'), rightCriteria: side('b') },
      { leftCriteria: given('a'), rightCriteria: given('b') },
    ],
    [
      'k of n',
      { criteria: [{ name: 'order', ...side('a') }, side('b', 'c')], atLeast: 2 },
      { criteria: [{ ...given('a'), name: 'order' }, given('b', 'c')], atLeast: 2 },
    ],
    [
      'critical access',
      { criteria: [{ name: 'pay', ...side('a', 'b') }], atLeast: 1 },
      { criteria: [{ ...given('a', 'b'), name: 'pay' }], atLeast: 1 },
    ],
    ['critical access without a number', { criteria: [side('a')] }, { criteria: [given('a')], atLeast: 1 }],
  ])('are accepted: %s', (_, criteria, expected) => {
    expect(validate(conflictingAccessCriteria, criteria)).toEqual({ ok: true, value: expected });
    const record = validate(accessModelRecord, {
      kind: 'sodPolicy',
      id: 'p',
      name: 'P',
      conflictingAccessCriteria: criteria,
    });
    expect(record).toMatchObject({ ok: true, value: { conflictingAccessCriteria: expected } });
  });

  const sides = { leftCriteria: side('a'), rightCriteria: side('b') };
  const kOfN = { criteria: [side('a'), side('b')], atLeast: 2 };

  test.each<[string, unknown, string, readonly string[]]>([
    ['nothing', {}, 'RequiredMissing', ['leftCriteria', 'rightCriteria']],
    ['one side', { leftCriteria: side('a') }, 'RequiredMissing', ['rightCriteria']],
    ['sides without their number', { criteria: kOfN.criteria }, 'RequiredMissing', ['atLeast']],
    ['no side and no number', { criteria: [] }, 'RequiredMissing', ['criteria', 'atLeast']],
    ['one side and no number but null', { criteria: [side('a')], atLeast: null }, 'IllegalValue', ['atLeast']],
    ['a number without sides', { atLeast: 2 }, 'MalformedBody', ['leftCriteria', 'rightCriteria', 'atLeast']],
    ['two sides and a number', { ...sides, atLeast: 2 }, 'MalformedBody', ['atLeast']],
    ['k of n and a left side', { ...kOfN, leftCriteria: side('a') }, 'MalformedBody', ['leftCriteria']],
    ['both forms', { ...sides, ...kOfN }, 'MalformedBody', ['leftCriteria']],
    ['no list', { criteria: { 0: side('a') }, atLeast: 2 }, 'IllegalValue', ['criteria']],
    ['null for sides', { criteria: null, atLeast: 2 }, 'IllegalValue', ['criteria']],
    ['half a side as number', { ...kOfN, atLeast: 2.5 }, 'IllegalValue', ['atLeast']],
    ['a text as number', { ...kOfN, atLeast: '2' }, 'IllegalValue', ['atLeast']],
    ['a side without items', { ...kOfN, criteria: [side('a'), {}] }, 'RequiredMissing', ['criteria[1].criteriaList']],
    [
      'a bad item',
      { ...kOfN, criteria: [side('a'), side('b', 'b c')] },
      'IllegalValue',
      ['criteria[1].criteriaList[1].id'],
    ],
    [
      'an unknown property of a side',
      { criteria: [{ ...side('a'), nmae: 'n' }], atLeast: 1 },
      'MalformedBody',
      ['criteria[0].nmae'],
    ],
    ['a list', [kOfN], 'MalformedBody', ['']],
    ['null', null, 'MalformedBody', ['']],
    ['a text', 'criteria', 'MalformedBody', ['']],
  ])('are rejected: %s', (_, criteria, type, places) => {
    const validated = validate(conflictingAccessCriteria, criteria);
    expect(validated.ok ? null : [validated.failure.type, validated.failure.causes.map(({ at }) => at)]).toEqual([
      type,
      places,
    ]);
  });

  test('have two forms in the JSON schema, which their properties tell apart', () => {
    expect(jsonSchema(conflictingAccessCriteria, 'input')).toMatchObject({
      oneOf: [
        { required: ['leftCriteria', 'rightCriteria'], additionalProperties: false },
        {
          required: ['criteria'],
          properties: {
            criteria: { type: 'array', minItems: 1, maxItems: 10 },
            atLeast: { type: 'integer', minimum: 1, maximum: 10, default: 1 },
          },
          additionalProperties: false,
        },
      ],
    });
  });
});

describe('grants of an entitlement', () => {
  const record = { kind: 'entitlement', id: 'e', name: 'E' };
  const grant = { resourceType: 'record', resourceId: 'record 1/ä', action: 'read' };

  test('are up to ten actions on resources of any type but those of this service', () => {
    const grants = Array.from({ length: 10 }, (_, at) => ({ ...grant, action: `${at}`.repeat(128) }));
    expect(validate(accessModelRecord, { ...record, grants })).toMatchObject({ ok: true, value: { grants } });
    expect(validate(accessModelRecord, { ...record, grants: [] })).toMatchObject({ ok: true, value: { grants: [] } });
  });

  test.each<[string, unknown, string, string]>([
    ['eleven', Array.from({ length: 11 }, () => grant), 'LimitExceeded', 'grants'],
    ['no list', {}, 'IllegalValue', 'grants'],
    ['a long text', [{ ...grant, resourceId: 'x'.repeat(129) }], 'LengthOutOfRange', 'grants[0].resourceId'],
    ['an empty text', [{ ...grant, action: '' }], 'RequiredMissing', 'grants[0].action'],
    ['no action', [{ resourceType: 'record', resourceId: 'r' }], 'RequiredMissing', 'grants[0].action'],
    ['another property', [{ ...grant, effect: 'ALLOW' }], 'MalformedBody', 'grants[0].effect'],
    ['a role as resource', [{ ...grant, resourceType: 'role' }], 'IllegalValue', 'grants[0].resourceType'],
    ['a capability as resource', [{ ...grant, resourceType: 'capability' }], 'IllegalValue', 'grants[0].resourceType'],
  ])('are refused: %s', (_, grants, type, at) => {
    const validated = validate(accessModelRecord, { ...record, grants });
    expect(validated).toMatchObject({ ok: false, failure: { type, causes: [{ at }] } });
  });
});
