import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in microseconds that the living threads of a process have used, by thread, from Linux's /proc: finer than its ticks. */
export function taskMicrosOf(pid: number): ReadonlyMap<string, number> {
  const folder = `/proc/${pid}/task`;
  return new Map(
    readdirSync(folder).map((task) => {
      const [nanoseconds] = readFileSync(`${folder}/${task}/schedstat`, 'utf8').split(' ');
      return [task, Number(nanoseconds) / 1000];
    }),
  );
}

/** Microseconds of CPU time that a process uses during the work. Threads that end meanwhile are not counted. */
export async function processMicrosDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = taskMicrosOf(pid);
  await work();
  let micros = 0;
  for (const [task, after] of taskMicrosOf(pid)) micros += after - (before.get(task) ?? 0);
  return micros;
}

/** Stops a process between two pieces of its work, where it holds no lock, and lets it go on during nothing but the work. */
export async function whileStopped<T>(pid: number, work: () => Promise<T>): Promise<T> {
  while (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'S') await new Promise(setImmediate);
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
