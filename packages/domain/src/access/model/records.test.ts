import { expect, test } from 'vitest';
import { isResourceId } from './records.ts';

test.each(['a', 'A-1_b:c.d', '...', '.a', 'a.', '-', '__proto__', 'constructor', 'x'.repeat(128)])(
  '%s can be an id',
  (id) => {
    expect(isResourceId(id)).toBe(true);
  },
);

test.each(['', '.', '..', 'x'.repeat(129), 'a b', 'a/b', 'a\n', '\na', 'é', 'a%20', 'a\u0000', 'a~1', 'a,b'])(
  '%j cannot be an id',
  (id) => {
    expect(isResourceId(id)).toBe(false);
  },
);
