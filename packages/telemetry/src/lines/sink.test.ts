import { expect, onTestFinished, test, vi } from 'vitest';
import { createLineSink, type LineTarget } from './sink.ts';

const full = () => Object.assign(new Error('no space left'), { code: 'ENOSPC' });
const slow = () => Object.assign(new Error('try again'), { code: 'EAGAIN' });

/** A sink on a target of the test, by fake time. */
function open(write: LineTarget['write'], writeBytesMax = Number.POSITIVE_INFINITY) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const seen = { failures: [] as unknown[], recovered: [] as number[], closed: 0 };
  const sink = createLineSink({
    now: Date.now,
    target: { write, writeBytesMax, close: async () => void seen.closed++ },
    onFailure: (error, lost) => seen.failures.push([error, lost]),
    onRecovery: (lost) => seen.recovered.push(lost),
  });
  return { sink, seen };
}

/** A pipe of a capacity, which its reader empties when the test says so. */
function openPipe(capacity: number) {
  let text = '';
  let held = 0;
  return {
    text: () => text,
    empty: () => {
      held = 0;
    },
    write: (bytes: Uint8Array): number => {
      const taken = Math.min(bytes.length, capacity - held);
      if (taken === 0) throw slow();
      held += taken;
      text += Buffer.from(bytes.subarray(0, taken)).toString();
      return taken;
    },
  };
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
  await sink.close();
  expect([written, seen.closed]).toEqual([['a\nb\n', 'c\n'], 1]);
});

test('a write has only whole lines, within what the target receives at a time', async () => {
  const written: string[] = [];
  const { sink } = open((bytes) => {
    written.push(Buffer.from(bytes).toString());
    return bytes.length;
  }, 6);
  for (const line of ['a\n', 'bc\n', 'de\n', 'longer than six\n', 'fghij\n', 'k\n']) sink.write(line);
  await sink.close();
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
  expect([text, seen.recovered]).toEqual(['first\nsecond\nsecond\nthird\n', [0]]);
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
  expect(Array.from({ length: 10 }, () => sink.write(line)).filter((isTaken) => !isTaken)).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(65_000);
  expect(seen.failures).toHaveLength(2);
  expect(seen.failures[1]).toEqual([expect.objectContaining({ code: 'ENOSPC' }), 3]);
  isFull = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([written, seen.recovered]).toEqual([8 * 2 ** 20, [3]]);
});

test('a target that refuses to the end is closed, and later lines are lost', async () => {
  const { sink, seen } = open(() => {
    throw full();
  });
  expect(sink.write('a\n')).toBe(true);
  await sink.close();
  expect([sink.write('after the end\n'), seen.closed]).toEqual([false, 1]);
});

test('a line that its reader has taken a part of goes on where it stopped, soon, and nobody is told', async () => {
  const pipe = openPipe(8);
  const { sink, seen } = open(pipe.write);
  for (const line of ['first\n', 'longer than the pipe\n', 'third\n']) sink.write(line);
  await vi.advanceTimersByTimeAsync(100);
  expect(pipe.text()).toBe('first\nlo');
  for (let count = 0; count < 4; count++) {
    pipe.empty();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect([pipe.text(), seen]).toEqual([
    'first\nlonger than the pipe\nthird\n',
    { failures: [], recovered: [], closed: 0 },
  ]);
});

test('what a reader that stops has lost is told once lines go on, even if it is still too slow', async () => {
  const pipe = openPipe(2 ** 20);
  const { sink, seen } = open(pipe.write);
  const line = `${'x'.repeat(2 ** 18 - 1)}\n`;
  const writeMany = () => Array.from({ length: 50 }, () => sink.write(line)).filter((isTaken) => !isTaken).length;
  const lost = writeMany();
  expect(lost).toBeGreaterThan(10);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.recovered).toEqual([]);
  for (let count = 0; count < 12 && seen.recovered.length === 0; count++) {
    pipe.empty();
    await vi.advanceTimersByTimeAsync(1_000);
    sink.write(line);
  }
  expect(seen.recovered).toEqual([lost]);
  expect(seen.failures).toContainEqual([expect.objectContaining({ code: 'EAGAIN' }), lost]);
});

test('the end of the process writes what waits, without the event loop', () => {
  const pipe = openPipe(100);
  const { sink } = open(pipe.write);
  sink.write('a\n');
  sink.write('b\n');
  sink.flushSync();
  expect(pipe.text()).toBe('a\nb\n');
  sink.write('c\n');
  sink.flushSync();
  expect(pipe.text()).toBe('a\nb\nc\n');
});
