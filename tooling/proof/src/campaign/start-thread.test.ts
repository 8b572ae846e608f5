import { expect, test } from 'vitest';
import { startThread } from './start-thread.ts';

const threadOf = (code: string) => startThread<number>(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {});

test('a thread answers with its figures', async () => {
  await using thread = threadOf(
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage(7));",
  );
  expect(await thread.ask()).toBe(7);
});

test.each([
  ["throw new Error('lost')", 'lost'],
  ['process.exit(3)', 'code 3'],
])('a thread that has ended by %s fails the questions', async (code, text) => {
  await using thread = threadOf(code);
  await expect(thread.ask()).rejects.toThrow(text);
  await expect(thread.ask()).rejects.toThrow(text);
});
