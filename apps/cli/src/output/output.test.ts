import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { line } from './escape.ts';
import { createOutput } from './output.ts';
import { formatTable } from './table.ts';

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

test('a terminal shows those of data; a file gets them as they are', async () => {
  const terminal = openOutput({ isTTY: true });
  await terminal.output.write(`${ESCAPE}]0;title\u0007${ESCAPE}[31m\n`);
  expect(terminal.written()).toBe('\\u001b]0;title\\u0007\\u001b[31m\n');
  const file = openOutput({ isTTY: false });
  await file.output.write(`${ESCAPE}[2K\r\n`);
  expect(file.written()).toBe(`${ESCAPE}[2K\r\n`);
});

test('people see those of data wherever the result goes, and data cannot have a style or a line of its own', async () => {
  const data = `${ESCAPE}[32mok${ESCAPE}[0m\n::error::x\u202e\u2028`;
  const shown = '\\u001b[32mok\\u001b[0m\\u000a::error::x\\u202e\\u2028';
  for (const isTTY of [true, false]) {
    const { output, written } = openOutput({ isTTY });
    const styled = output.style('red', data);
    const red = isTTY ? `${ESCAPE}[31m${shown}${ESCAPE}[39m` : shown;
    await output.show(line`${styled} ${data}\n`);
    expect(written()).toBe(`${red} ${shown}\n`);
    await output.show(
      formatTable([
        ['id', 'name'],
        [data, styled],
      ]),
    );
    expect(written()).toBe(`id${' '.repeat(shown.length)}name\n${shown}  ${red}\n`);
    // A text that was put together without care.
    await output.show(`${ESCAPE}[2J${ESCAPE}[8m\r\n`);
    expect(written()).toBe('\\u001b[2J\\u001b[8m\\u000d\n');
  }
});

test('a progress shows those of the name of a file', () => {
  let nowMs = 0;
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const progress = createOutput({ stdout: new PassThrough(), stderr, noColor: false, clock: () => nowMs }).progress(
    `Reading a${ESCAPE}[2J`,
    'bytes',
  );
  nowMs = 2000;
  progress.update(1, null);
  expect(String(stderr.read())).toContain('Reading a\\u001b[2J');
});
