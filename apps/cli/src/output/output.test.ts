import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createOutput } from './output.ts';

const ESCAPE = String.fromCharCode(27);

function openOutput({ isTTY }: { readonly isTTY: boolean }) {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const output = createOutput({ stdout, stderr, noColor: false, clock: () => 0 });
  return { output, written: () => String(stdout.read() ?? ''), noted: () => String(stderr.read() ?? '') };
}

test('a note shows the control characters of a file, which could write over what a terminal shows', () => {
  const { output, noted } = openOutput({ isTTY: false });
  output.note(`users.csv: there are ${ESCAPE}[2Ka\r\u0007\u009bb\tc\nd`);
  expect(noted()).toBe('users.csv: there are \\u001b[2Ka\\u000d\\u0007\\u009bb\tc\nd\n');
});

test('a terminal shows those of a result, beside its styles; a file gets them as they are', async () => {
  const terminal = openOutput({ isTTY: true });
  const styled = terminal.output.style('red', 'HIGH');
  await terminal.output.write(`${styled} ${ESCAPE}]0;title\u0007\n`);
  expect(terminal.written()).toBe(`${styled} \\u001b]0;title\\u0007\n`);
  expect(styled).not.toBe('HIGH');
  const file = openOutput({ isTTY: false });
  await file.output.write(`${ESCAPE}[2K\r\n`);
  expect(file.written()).toBe(`${ESCAPE}[2K\r\n`);
});
