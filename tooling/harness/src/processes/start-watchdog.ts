import { spawn } from 'node:child_process';
import { once } from 'node:events';

// Reads the id of the watched process (0 for none) until its input closes, which happens however our process ends. Killing
// a postmaster also ends the processes that it started.
const SCRIPT = `trap '' HUP INT TERM
pid=0
while read -r line; do pid=$line; done
if [ "$pid" != 0 ]; then
  kill -QUIT "$pid"
  for turn in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.2; done
  kill -KILL "$pid"
fi
rm -rf "$0"`;

export interface Watchdog {
  /** Sets the process to end together with this one; null for none. */
  watch(pid: number | null): void;
  /** Ends the watched process and removes the folder. */
  end(): Promise<void>;
}

/** Starts a process that ends a server and removes its folder when this process ends, even when it is killed. */
export function startWatchdog(folder: string): Watchdog {
  const child = spawn('sh', ['-c', SCRIPT, folder], { cwd: '/', stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const ended = once(child, 'close');
  // The watchdog itself may have been killed; writing to it must not throw.
  child.stdin.on('error', () => {});
  return {
    watch: (pid) => void child.stdin.write(`${pid ?? 0}\n`),
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
