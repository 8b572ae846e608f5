import { spawn } from 'node:child_process';
import { once } from 'node:events';

// Reads the id of the process that runs, 0 for none, until we are gone, however that came about. A postmaster that does
// not end soon is killed; its processes end by themselves then.
const SCRIPT = `trap '' HUP INT TERM
pid=0
while read -r line; do pid=$line; done
if [ "$pid" != 0 ]; then
  kill -QUIT "$pid"
  for turn in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.2; done
  kill -KILL "$pid"
fi
rm -rf "$0"`;

export interface Watch {
  /** The process that is to end with us; null for none. */
  set(pid: number | null): void;
  /** Removes the folder, and ends what still runs. */
  end(): Promise<void>;
}

/** Removes the folder of a server and ends the server when we end, even when we are killed. */
export function watchOver(folder: string): Watch {
  const child = spawn('sh', ['-c', SCRIPT, folder], { cwd: '/', stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const ended = once(child, 'close');
  // Who killed it has to end the server too.
  child.stdin.on('error', () => {});
  return {
    set: (pid) => void child.stdin.write(`${pid ?? 0}\n`),
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
