import { expect, onTestFinished, test, vi } from 'vitest';
import { createLineSink, type LineTarget } from './sink.ts';

const full = () => Object.assign(new Error('no space left'), { code: 'ENOSPC' });

/** A sink on a target of the test, by fake time. */
function open(write: LineTarget['write'], writeBytesMax = Number.POSITIVE_INFINITY) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const seen = { failures: [] as unknown[], recovered: [] as number[], lost: 0, closed: 0 };
  const sink = createLineSink<string>({
    toLine: (line) => line,
    lengthOf: (line) => line.length,
    now: Date.now,
    target: { write, writeBytesMax, close: async () => void seen.closed++ },
    onFailure: (error, lost) => seen.failures.push([error, lost]),
    onRecovery: (lost) => seen.recovered.push(lost),
    onLost: (count) => {
      seen.lost += count;
    },
  });
  return { sink, seen };
}

test('lines are gathered, and written in their order', async () => {
  const written: string[] = [];
  const { sink, seen } = open((bytes) => {
    written.push(Buffer.from(bytes).toString());
    return bytes.length;
  });
  sink.write('a\n');
  sink.write('b\n');
  await vi.advanceTimersByTimeAsync(99);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toEqual(['a\nb\n']);
  sink.write('c\n');
  await sink[Symbol.asyncDispose]();
  expect([written, seen.lost, seen.closed]).toEqual([['a\nb\n', 'c\n'], 0, 1]);
});

test('a write has only whole lines, within what the target receives at a time', async () => {
  const written: string[] = [];
  const { sink } = open((bytes) => {
    written.push(Buffer.from(bytes).toString());
    return bytes.length;
  }, 6);
  for (const line of ['a\n', 'bc\n', 'de\n', 'longer than six\n', 'fghij\n', 'k\n']) sink.write(line);
  await sink[Symbol.asyncDispose]();
  expect(written).toEqual(['a\nbc\n', 'de\n', 'longer than six\n', 'fghij\n', 'k\n']);
});

test('a line of which a target took a part is written whole, on a line of its own', async () => {
  let text = '';
  let room = 12;
  const { sink, seen } = open((bytes) => {
    if (room === 0) throw full();
    const taken = Math.min(room, bytes.length);
    room -= taken;
    text += Buffer.from(bytes.subarray(0, taken)).toString();
    return taken;
  });
  for (const line of ['first\n', 'second\n', 'third\n']) sink.write(line);
  await vi.advanceTimersByTimeAsync(100);
  expect([text, seen.failures.length]).toEqual(['first\nsecond', 1]);
  room = 1_000;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([text, seen.recovered, seen.lost]).toEqual(['first\nsecond\nsecond\nthird\n', [0], 0]);
});

test('while a target refuses, up to 8 MiB wait, more is lost and counted, and the log is told once a minute', async () => {
  let isFull = true;
  let written = 0;
  const { sink, seen } = open((bytes) => {
    if (isFull) throw full();
    written += bytes.length;
    return bytes.length;
  });
  const line = `${'x'.repeat(2 ** 20 - 1)}\n`;
  sink.write(line);
  await vi.advanceTimersByTimeAsync(1_000);
  for (let count = 0; count < 10; count++) sink.write(line);
  expect(seen.lost).toBe(3);
  await vi.advanceTimersByTimeAsync(65_000);
  expect(seen.failures).toHaveLength(2);
  expect(seen.failures[1]).toEqual([expect.objectContaining({ code: 'ENOSPC' }), 3]);
  isFull = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([written, seen.recovered]).toEqual([8 * 2 ** 20, [3]]);
});

test('what a target refuses to the end is counted as lost', async () => {
  const { sink, seen } = open(() => {
    throw full();
  });
  sink.write('a\n');
  sink.write('b\n');
  await vi.advanceTimersByTimeAsync(100);
  sink.write('c\n');
  await sink[Symbol.asyncDispose]();
  sink.write('after the end\n');
  expect([seen.lost, seen.closed]).toEqual([4, 1]);
});
