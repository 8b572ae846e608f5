import { describe, expect, test } from 'vitest';
import { always, CHECK_BASIS, predict, predictJson } from '../../test/entries.ts';
import { catalogueOf, entitlement, policyOf, role } from '../../test/sod-world.ts';
import type { AccessRef } from '../access/model/records.ts';
import { compileSodIndex } from '../sod/index.ts';
import { batchLineFrame, predictionJson } from './answer-json.ts';
import { predict as findPrediction, type PredictionRequest } from './predict.ts';
import type { ViolationContext } from './violation-context.ts';

const nothing = new Uint32Array();
const many = Array.from({ length: 400 }, (_, at) => `e-${String(at).padStart(3, '0')}`);
const policies = Array.from({ length: 9_000 }, (_, at) =>
  policyOf(`p-${at}`, { left: [many[at % 400] ?? '', 'x'], right: [many[(at * 7 + 1) % 400] ?? '', 'y'] }),
);
const catalogue = catalogueOf({ entitlements: [...many, 'x', 'y'], roles: { all: { entitlements: many } } });
const index = compileSodIndex(policies, catalogue);

const pieces = (
  held: Uint32Array,
  refs: readonly AccessRef[],
  rest: Partial<PredictionRequest> = {},
): readonly string[] => {
  const found = findPrediction(index, always(held), { accessRefs: refs, nowMs: 0, ...rest });
  if (!found.ok) throw new Error(found.failure.type);
  return [...predictionJson(found.value, { basis: CHECK_BASIS, coverage: null, remediation: null })];
};

describe('predictionJson', () => {
  test('answers without a violation', () => {
    const none = { ok: true, value: '{"violationContexts":[]}' };
    expect(predictJson(index, nothing, [])).toEqual(none);
    expect(predictJson(index, nothing, [entitlement('e-000')])).toEqual(none);
  });

  test('gives a piece for each policy, also while other predictions are made', () => {
    const found = findPrediction(index, always(nothing), { accessRefs: [role('all')], nowMs: 0 });
    const whole = pieces(nothing, [role('all')]);
    expect(whole.length).toBeGreaterThan(9_000);
    expect(Math.max(...whole.map(({ length }) => length))).toBeLessThan(1_000);
    let text = '';
    const parts = { basis: CHECK_BASIS, coverage: null, remediation: null };
    for (const piece of found.ok ? predictionJson(found.value, parts) : []) {
      text += piece;
      predict(index, new Uint32Array([3]), [entitlement('e-001'), entitlement('e-002')]);
    }
    expect(text).toBe(whole.join(''));
  });

  test.each([9_000, 8_999, 1, 0])(
    'shows the first %i of 9,000 violations, and of the others their number and policies',
    (contextsMax) => {
      const whole = JSON.parse(pieces(nothing, [role('all')]).join(''));
      const { violationContexts, ...basis } = whole;
      const shown = JSON.parse(pieces(nothing, [role('all')], { contextsMax }).join(''));
      const policies = violationContexts.map(({ policy: { type, id, name } }: ViolationContext) => ({
        type,
        id,
        name,
      }));
      const more = { violationCount: 9_000, omitted: 9_000 - contextsMax, violatedPolicies: policies };
      const expected = contextsMax === 9_000 ? {} : more;
      expect(shown).toEqual({ violationContexts: violationContexts.slice(0, contextsMax), ...expected, ...basis });
    },
  );

  test.each([
    [[], 10_000],
    [['remediation'], 1_000],
    [['via', 'remediation'], 1_000],
  ] as const)('with %j it shows %i violations', (includes, contextsMax) => {
    const found = findPrediction(index, always(nothing), { accessRefs: [], nowMs: 0, includes });
    expect(found.ok && found.value.contextsMax).toBe(contextsMax);
  });

  test('ends with the remediation, if there is one, and the data that it is based on', () => {
    const remediation = { drop: { accessRefs: [entitlement('x')], optimal: true }, revoke: null };
    const textOf = (refs: readonly AccessRef[], rest: Partial<PredictionRequest> = {}) => {
      const found = findPrediction(index, always(nothing), { accessRefs: refs, nowMs: 0, ...rest });
      return found.ok
        ? [...predictionJson(found.value, { basis: CHECK_BASIS, coverage: null, remediation })].join('')
        : '';
    };
    const end = `],"remediation":${JSON.stringify(remediation)},${JSON.stringify(CHECK_BASIS).slice(1)}`;
    expect(textOf([])).toBe(`{"violationContexts":[${end}`);
    for (const contextsMax of [10_000, 1]) expect(textOf([role('all')], { contextsMax }).endsWith(end)).toBe(true);
  });

  test('fails as predict does, before anything is written', () => {
    for (const refs of [[role('all'), role('gone')], [role('all')]]) {
      expect(predictJson(index, null, refs)).toEqual(predict(index, null, refs));
    }
  });

  test('writes names as JSON.stringify does', () => {
    const names = ['"quoted" \\ \n\u0000', 'ünï → 😀', '\ud800 alone', '</script>\u2028'];
    const odd = compileSodIndex(
      names.map((name, at) => policyOf(`p-${at}`, { left: ['a'], right: ['b'] }, { name })),
      {
        ...catalogueOf({ entitlements: [] }),
        entitlements: ['a', 'b'].map((id, at) => ({ id, name: names[at] ?? '', source: null })),
      },
    );
    const refs = [entitlement('a'), entitlement('b')];
    const answer = predict(odd, nothing, refs);
    const text = JSON.stringify(answer.ok && answer.value);
    expect(JSON.parse(text).violationContexts.map(({ policy }: { policy: { name: string } }) => policy.name)).toEqual(
      names,
    );
    expect(predictJson(odd, nothing, refs)).toEqual({ ok: true, value: text });
  });
});

test('a line of the answer to many requests has the place and the status of its request, and its body', () => {
  const [start, end] = batchLineFrame({ index: 7, status: 200 });
  expect(`${start}{"violationContexts":[]}${end}`).toBe('{"index":7,"status":200,"body":{"violationContexts":[]}}\n');
});
