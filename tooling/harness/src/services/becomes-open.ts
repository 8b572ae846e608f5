import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningProcess } from '../processes/start.ts';

const POLL_MS = 20;

/** Resolves once a process accepts connections on a port; rejects with its output when it ends. */
export async function becomesOpen(port: number, running: RunningProcess): Promise<void> {
  let hasEnded = false;
  const setEnded = () => {
    hasEnded = true;
  };
  running.ended.then(setEnded, setEnded);
  while (!(await isOpen(port))) {
    if (hasEnded) throw new Error(`the process ended:\n${running.output()}`);
    await delay(POLL_MS);
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
