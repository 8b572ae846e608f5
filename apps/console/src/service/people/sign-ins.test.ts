import { expect, test } from 'vitest';
import { signInsOf } from './sign-ins.ts';

test.each([
  [{ currentLoginTimestamp: 2, lastLoginTimestamp: 1 }, [2, 1]],
  [{ currentLoginTimestamp: 2, lastLoginTimestamp: null }, [2]],
  [{ currentLoginTimestamp: null, lastLoginTimestamp: 0 }, [0]],
  [{ currentLoginTimestamp: null, lastLoginTimestamp: null }, []],
])('of %j the sign-ins %j are known', (user, signIns) => {
  expect(signInsOf(user)).toEqual(signIns);
});
