import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';

/** The number with these bits (IEEE 754), as in appendix B of RFC 8785. */
function numberOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

describe('the vectors of RFC 8785', () => {
  test('section 3.2.2: literals, numbers and strings', () => {
    const input = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    const text = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    expect(canonicalJson(JSON.parse(input))).toBe(text);
  });

  test('section 3.2.3: members are sorted by UTF-16 code units', () => {
    const input = String.raw`{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`;
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const value: Readonly<Record<string, string>> = JSON.parse(input);
    const members = sorted.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value[name])}`);
    expect(canonicalJson(value)).toBe(`{${members.join(',')}}`);
    const more = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, at]));
    const names = Object.keys(JSON.parse(canonicalJson({ ...more, ...value })));
    expect(canonicalJson({ ...value, ...more })).toBe(canonicalJson({ ...more, ...value }));
    expect(names).toHaveLength(37);
  });

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('appendix B: the number %s is written %s', (bits, text) => {
    expect(canonicalJson(numberOf(bits))).toBe(text);
  });

  test.each([
    ['NaN', numberOf('7fffffffffffffff')],
    ['infinity', numberOf('7ff0000000000000')],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', ['\ude00']],
    ['undefined', undefined],
    ['a member with a lone surrogate', { '\ud83d': 1 }],
  ])('%s has no canonical form', (_, value) => {
    expect(() => canonicalJson(value)).toThrow();
  });
});

test('any JSON value keeps its meaning, and has one text whatever the order of its members', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, reversed(member)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(JSON.parse(text)))).toBe(text);
    }),
  );
});
