import { describe, expect, test } from 'vitest';
import { createPredictJson, predict, predictJson } from '../../test/entries.ts';
import { catalogueOf, entitlement, policyOf, role } from '../../test/sod-world.ts';
import { compileSodIndex } from '../rulebook/sod-index.ts';

const nothing = new Uint32Array();
const many = Array.from({ length: 400 }, (_, at) => `e-${String(at).padStart(3, '0')}`);
const policies = Array.from({ length: 9_000 }, (_, at) =>
  policyOf(`p-${at}`, { left: [many[at % 400] ?? '', 'x'], right: [many[(at * 7 + 1) % 400] ?? '', 'y'] }),
);
const catalogue = catalogueOf({ entitlements: [...many, 'x', 'y'], roles: { all: { entitlements: many } } });
const index = compileSodIndex(policies, catalogue);

const stepsOf = (answer: ReturnType<typeof predictJson>): readonly string[] => {
  if (!answer.ok || typeof answer.value === 'string') throw new Error('no steps');
  return [...answer.value];
};
const expectedFor = (refs: Parameters<typeof predict>[2]) => {
  const answer = predict(index, nothing, refs);
  return answer.ok ? JSON.stringify(answer.value) : '';
};

describe('predictJson', () => {
  test('answers at once where nothing is caused', () => {
    expect(predictJson(index, nothing, [])).toEqual({ ok: true, value: '{"violationContexts":[]}' });
    expect(predictJson(index, nothing, [entitlement('e-000')])).toEqual({
      ok: true,
      value: '{"violationContexts":[]}',
    });
  });

  test('answers a small request at once', () => {
    const refs = [entitlement('e-000'), entitlement('e-001')];
    const answer = predictJson(index, nothing, refs);
    expect(answer).toEqual({ ok: true, value: expectedFor(refs) });
    expect(expectedFor(refs)).toContain('"p-0"');
  });

  test('answers a large one in many pieces, each of bounded length', () => {
    const steps = stepsOf(predictJson(index, nothing, [role('all')]));
    expect(steps.join('')).toBe(expectedFor([role('all')]));
    expect(steps.length).toBeGreaterThan(20);
    expect(Math.max(...steps.map(({ length }) => length))).toBeLessThan(100_000);
  });

  test('pauses in time while it finds nothing', () => {
    const steps = stepsOf(createPredictJson(16)(index, nothing, [entitlement('x')]));
    expect(steps.join('')).toBe('{"violationContexts":[]}');
    expect(steps.length).toBeGreaterThan(9_000 / 16);
  });

  test('other predictions may run between its steps', () => {
    const answer = createPredictJson(50)(index, nothing, [role('all')]);
    let text = '';
    for (const piece of answer.ok ? answer.value : []) {
      text += piece;
      predict(index, new Uint32Array([3]), [entitlement('e-001'), entitlement('e-002')]);
    }
    expect(text).toBe(expectedFor([role('all')]));
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
