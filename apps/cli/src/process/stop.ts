import { removeTemporaries } from '../files/temporary.ts';
import type { ExitCode } from '../output/failure.ts';

/** How a process is stopped by signals. */
export interface Stop {
  /** Aborted by the first signal: the command ends by itself, and says what it has done. */
  readonly signal: AbortSignal;
  /** Stops the command as a signal does. */
  request(): void;
  /** Runs what keeps the event loop busy, or waits in the system. Meanwhile a signal ends the process at once, as the system does it. */
  blocking<T>(action: () => T): Promise<T>;
  /** Ends the process once all notes are written. */
  exit(code: ExitCode): void;
}

type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface StopOptions {
  readonly signals: readonly StopSignal[];
  /** Whether the command takes as long as it needs, as a service does. */
  readonly isPatient: boolean;
  readonly note: (text: string) => void;
}

// Less than the second after which a command has ended.
const GRACE_MS = 700;

/** Listens for signals. A second one ends the process at once. */
export function listenForStop(process: NodeJS.Process, { signals, isPatient, note }: StopOptions): Stop {
  const controller = new AbortController();
  let received: StopSignal | null = null;
  const listen = () => {
    for (const name of signals) process.on(name, onSignal);
  };
  const leaveToSystem = () => {
    for (const name of signals) process.removeListener(name, onSignal);
  };
  const endBySystem = (name: StopSignal) => {
    removeTemporaries();
    leaveToSystem();
    process.kill(process.pid, name);
  };
  const onSignal = (name: StopSignal) => {
    if (isPatient) return controller.abort();
    if (received !== null) return endBySystem(name);
    received = name;
    controller.abort();
    setTimeout(() => {
      note('stopped');
      endBySystem(name);
    }, GRACE_MS);
  };
  listen();
  return {
    signal: controller.signal,
    request: () => onSignal('SIGTERM'),
    blocking: async (action) => {
      // A signal that has come already is heard now.
      await new Promise((resolve) => setImmediate(resolve));
      controller.signal.throwIfAborted();
      leaveToSystem();
      try {
        return action();
      } finally {
        listen();
      }
    },
    exit: (code) => {
      // An exit waits for calls of the system that are under way, such as for a name that no server resolves.
      const isHeldUp = process.getActiveResourcesInfo().some((each) => each.includes('Req'));
      if (received !== null && isHeldUp) return endBySystem(received);
      process.stderr.write('', () => process.exit(code));
    },
  };
}
