import { expect, test } from 'vitest';
import { AccessAdminError } from '../errors.ts';
import { parseNdjson } from './ndjson.ts';

async function parse(...pieces: readonly Uint8Array[]): Promise<readonly unknown[]> {
  const records = [];
  for await (const record of parseNdjson(toAsync(pieces))) records.push(record);
  return records;
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['nothing', '', []],
  ['a line', '{"a":1}\n', [{ a: 1 }]],
  ['a last line without its end', '{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
  ['blank lines and CRLF', '\r\n{"a":1}\r\n\n{"b":2}\r\n\n', [{ a: 1 }, { b: 2 }]],
  ['separators of lines that are none in JSON', '{"a":"\u2028\u0085"}\n', [{ a: '\u2028\u0085' }]],
])('%s, split at any byte', async (_, text, records) => {
  const whole = bytes(text);
  for (let cut = 0; cut <= whole.length; cut++) {
    await expect(parse(whole.subarray(0, cut), whole.subarray(cut))).resolves.toEqual(records);
  }
});

test.each([
  ['a line that is no JSON', bytes('{"secret":\n')],
  ['a last line that is cut off', bytes('{"a":1}\n{"secret"')],
  ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22, 0x0a])],
  ['a character that is cut off', new Uint8Array([...bytes('{"a":1}'), 0xc3])],
])('%s is an error that does not quote the input', async (_, text) => {
  const parsing = parse(text);
  await expect(parsing).rejects.toThrow(AccessAdminError);
  await expect(parsing).rejects.not.toThrow(/secret/);
});
