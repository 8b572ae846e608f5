import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFolder, openUnreadPipe, startNode } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';

const MODULE = fileURLToPath(new URL('../src/lines/stdout.ts', import.meta.url));
const LINE_COUNT = 200_000;

/** Starts a program that has opened standard output as `stdout`, on a pipe that nobody reads. */
function startOnPipe(program: string) {
  const folder = openFolder('stdout');
  const pipe = openUnreadPipe();
  const path = join(folder.path, 'program.ts');
  writeFileSync(
    path,
    `import { writeFileSync } from 'node:fs';
     import { openStdout } from ${JSON.stringify(MODULE)};
     const stdout = openStdout({ onRecovery: (lost) => stdout.write('lost ' + lost + '\\n'), now: Date.now });
     ${program}`,
  );
  const running = startNode(path, [], { env: {}, cwd: folder.path, stdoutPath: pipe.path });
  onTestFinished(async () => {
    await running[Symbol.asyncDispose]();
    pipe[Symbol.dispose]();
    folder[Symbol.dispose]();
  });
  return { pipe, running, told: join(folder.path, 'told') };
}

test('a reader that stops holds nobody up; what is lost is counted, and told once lines go on', async () => {
  const { pipe, running, told } = startOnPipe(`
    for (let count = 0; count < ${LINE_COUNT}; count++) {
      stdout.write('line ' + String(count).padStart(94, '0') + '\\n');
      if (count % 1000 === 0) await new Promise(setImmediate);
    }
    writeFileSync('told', String(stdout.lostCount()));
    setInterval(() => {}, 1000);
  `);
  await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8')).toMatch(/^\d+$/);
  const lost = Number(readFileSync(told, 'utf8'));
  expect(lost).toBeGreaterThan(0);
  const text = await pipe.readUntil((read) => /^lost \d+\n/m.test(read));
  await running.stop();
  const lines = text.trimEnd().split('\n');
  const numbers = lines.flatMap((line) => (line.startsWith('line ') ? [Number(line.slice(5))] : []));
  expect(lines.filter((line) => line.startsWith('lost '))).toEqual([`lost ${lost}`]);
  expect(numbers).toHaveLength(LINE_COUNT - lost);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test('a process whose reader has stopped ends, with what the pipe takes', async () => {
  const { running } = startOnPipe(`
    for (let count = 0; count < 2000; count++) stdout.write('x'.repeat(99) + '\\n');
    process.exit(7);
  `);
  expect((await running.ended).code).toBe(7);
});

test('the last lines are written while their reader is only slow', async () => {
  const { pipe, running } = startOnPipe(`
    for (let count = 0; count < 2000; count++) stdout.write('x'.repeat(99) + '\\n');
    stdout.write('last\\n');
    process.exit(0);
  `);
  expect(await pipe.readUntil((read) => read.endsWith('last\n'))).toHaveLength(2000 * 100 + 5);
  expect((await running.ended).code).toBe(0);
});
