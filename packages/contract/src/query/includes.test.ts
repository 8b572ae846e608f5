import { describe, expect, test } from 'vitest';
import { parseIncludes } from './includes.ts';

const words = ['via', 'more'] as const;

describe('include', () => {
  test.each([
    [[], []],
    [['via'], ['via']],
    [['more,via'], ['via', 'more']],
  ])('%j is accepted', (values, includes) => {
    expect(parseIncludes(values, words)).toEqual({ ok: true, value: includes });
  });

  test.each([
    [['']],
    [['via,']],
    [[',via']],
    [['via,via']],
    [['via', 'via']],
    [['via', 'more']],
    [['', '']],
    [['VIA']],
    [[' via']],
    [['via;more']],
    [['other']],
    [['via,other']],
    [['constructor']],
  ])('%j is rejected', (values) => {
    expect(parseIncludes(values, words)).toEqual({
      ok: false,
      failure: {
        type: 'IllegalValue',
        causes: [{ at: 'include', text: 'must be given once, with one or more of via, more, joined by commas' }],
      },
    });
  });
});
