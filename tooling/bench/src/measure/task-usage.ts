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

// `epoll_wait` and `epoll_pwait` on x64, and `epoll_pwait` on ARM.
const WAITING_CALLS = ['232', '281', '22'];

/** Stops a process while it waits for events, so that it holds no lock of a file, and lets it go on after the work. */
export async function whileStopped<T>(pid: number, work: () => Promise<T>): Promise<T> {
  const stateOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
  for (;;) {
    process.kill(pid, 'SIGSTOP');
    while (stateOf() !== 'T') await new Promise(setImmediate);
    const [call = ''] = readFileSync(`/proc/${pid}/syscall`, 'utf8').split(' ');
    if (WAITING_CALLS.includes(call)) break;
    process.kill(pid, 'SIGCONT');
    await new Promise(setImmediate);
  }
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
