import { expect, test } from 'vitest';
import { idOf } from './new-person.ts';

test.each([
  ['ada.lovelace', 'ada.lovelace'],
  ['Tuấn Nguyễn', 'Tuan-Nguyen'],
  ['ada@example.com', 'ada-example.com'],
  ['..', ''],
  ['عربي', ''],
  ['x'.repeat(200), 'x'.repeat(128)],
])('the id of the username %s is %s', (uid, id) => {
  expect(idOf(uid)).toBe(id);
});
