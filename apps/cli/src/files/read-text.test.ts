import { expect, test } from 'vitest';
import { jsonErrorPlace, reasonOf } from './read-text.ts';

test.each([
  ['id,name', '1:1', "Unexpected token 'i'"],
  ['{"a":1}}', '1:8', 'Unexpected non-whitespace character after JSON at position 7 (line 1 column 8)'],
  ['{"a":\n [1, x]}', '2:6', "Unexpected token 'x'"],
  ['{"a":tru}', '1:9', "Unexpected token '}'"],
  ['{"a":', '1:6', 'Unexpected end of JSON input'],
  ['', '1:1', 'Unexpected end of JSON input'],
  [`{"long":"${'x'.repeat(200)}","a":?}`, '1:216', "Unexpected token '?'"],
])('the syntax error of %j is at %s', (text, place, reason) => {
  let error: unknown;
  try {
    JSON.parse(text);
  } catch (thrown) {
    error = thrown;
  }
  expect([jsonErrorPlace(text, error), reasonOf(error)]).toEqual([place, reason]);
});
