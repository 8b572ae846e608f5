import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, type ExitCode } from '@access-admin/cli';
import { type Program, type RunOptions, run } from './run.ts';

/** What a group needs of the process. */
export interface GroupOptions {
  /** Ends the group. */
  readonly signal: AbortSignal;
  /** The module that is loaded into each process first. */
  readonly preload: string;
  readonly note: (text: string) => void;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
}

/** A process of a group. */
export interface Member extends Pick<RunOptions, 'onStart'> {
  /** As notes name it. */
  readonly title: string;
  readonly program: Program;
  /** Asked each time it ends. */
  readonly isRestartable: () => boolean;
}

/** Processes that run together. */
export interface Group {
  /** Aborted once the group ends. */
  readonly stop: AbortSignal;
  /** Ends the group with an exit code, unless it ends already. */
  fail(code: ExitCode): void;
  /** Starts a process. */
  start(member: Member): void;
  /** Resolves with the exit code once the group has been ended and all processes have. */
  readonly ended: Promise<ExitCode>;
}

// Ctrl-C reaches all processes at once: one that ends this shortly before it has not failed.
const SETTLE_MS = 300;
const PAUSE_MS_MAX = 30_000;
/** A process that has run this long has recovered: its next pause is short again. */
const STEADY_MS = 60_000;

/**
 * Runs processes until the signal is aborted or one of them is not to be started again; then all are stopped. A process that
 * ends is started again after a pause, which doubles up to half a minute.
 */
export function createGroup({ signal: outside, preload, note, elapsed }: GroupOptions): Group {
  const controller = new AbortController();
  const { signal: stop } = controller;
  const running: Promise<void>[] = [];
  let exitCode: ExitCode = EXIT.done;
  const fail = (code: ExitCode) => {
    if (!stop.aborted) exitCode = code;
    controller.abort();
  };
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  if (outside.aborted) fail(EXIT.done);
  else outside.addEventListener('abort', () => fail(EXIT.done), { once: true });

  const pause = (ms: number) => delay(ms, undefined, { signal: stop }).catch(() => {});
  const supervise = async ({ title, program, onStart, isRestartable }: Member) => {
    const nodeOptions = ['--import', preload, ...program.nodeOptions];
    for (let pauseMs = SETTLE_MS; !stop.aborted; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      const startedMs = elapsed();
      const { code, signal } = await run({ ...program, nodeOptions }, { stop, onStart });
      if (!stop.aborted) await pause(SETTLE_MS);
      if (stop.aborted) {
        // One that was told to stop before it could listen has not failed.
        if (code !== 0 && signal !== 'SIGTERM' && exitCode === EXIT.done) exitCode = EXIT.failed;
        return;
      }
      const ended = `access-admin: ${title} ended (${signal ?? `code ${code}`})`;
      // API and worker end so when their configuration is wrong, which a restart cannot change.
      if (code === EXIT.usage || !isRestartable()) {
        note(ended);
        return fail(code === EXIT.usage ? EXIT.usage : EXIT.failed);
      }
      if (elapsed() - startedMs > STEADY_MS) pauseMs = SETTLE_MS;
      note(`${ended}; it is started again in ${pauseMs / 1000} s`);
      await pause(pauseMs);
    }
  };
  return {
    stop,
    fail,
    start: (member) => {
      running.push(supervise(member));
    },
    ended: stopped.then(() => Promise.all(running)).then(() => exitCode),
  };
}
