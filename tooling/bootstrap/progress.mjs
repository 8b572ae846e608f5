import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLineOf, isRunning, withDescendants } from './process-table.mjs';

const INTERVAL_MS = 15_000;

/** Waits for work to end. Meanwhile prints a line every 15 seconds: the seconds so far and what `describe` returns. */
export async function withProgress(describe, work, print = console.log) {
  const startMs = performance.now();
  const secondsSoFar = () => Math.round((performance.now() - startMs) / 1000);
  const timer = setInterval(() => print(`${secondsSoFar()} s: ${describe()}`), INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** The tests that have run so far, by the notes of `progress-reporter.mjs` in a folder, and the tasks that run below this process. */
export function describeTests(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const notes = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const sum = (key) => notes.reduce((total, note) => total + note[key], 0);
  const tests = notes
    .filter((note) => isRunning(note.process))
    .map(({ task, filesEnded, files }) => `${task} (${filesEnded} of ${files} files)`);
  const others = scriptsBelow(process.pid).filter((script) => !notes.some(({ task }) => task.endsWith(`#${script}`)));
  const running = [...tests, ...others].join(', ') || 'no task';
  return `${sum('passed')} tests passed and ${sum('failed')} failed so far; running: ${running}`;
}

/** The scripts of packages that pnpm runs below a process. */
function scriptsBelow(id) {
  const scripts = withDescendants(id).flatMap((member) => /pnpm\S* run (\S+)$/.exec(commandLineOf(member))?.[1] ?? []);
  return [...new Set(scripts)];
}
