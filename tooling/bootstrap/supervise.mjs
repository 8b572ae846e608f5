import { setTimeout as delay } from 'node:timers/promises';
import { startProcess } from './run-process.mjs';

/** Ends together with us, however we end: it watches the channel to its parent. */
const END_WITH_PARENT = ['--import', new URL('end-with-parent.mjs', import.meta.url).href];
// Ctrl-C reaches all processes at once: one that ends this shortly before it has not failed.
const SETTLE_MS = 300;
const PAUSE_MS_MAX = 30_000;
/** A process that has run this long has recovered: its next pause is short again. */
const STEADY_MS = 60_000;
/** API and worker end with it when their configuration is wrong, which a restart cannot change. */
const WRONG_CONFIGURATION = 2;

/**
 * Runs processes until `outside` is aborted or one of them is not to be started again; then all are stopped. A process that
 * ends is started again after a pause, which doubles up to half a minute.
 */
export function createGroup(node, outside) {
  const controller = new AbortController();
  const { signal: stop } = controller;
  const ends = [];
  let exitCode = 0;
  const fail = (code) => {
    if (!stop.aborted) exitCode = code;
    controller.abort();
  };
  const stopped = new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  if (outside.aborted) fail(0);
  else outside.addEventListener('abort', () => fail(0), { once: true });

  const pause = (ms) => delay(ms, undefined, { signal: stop }).catch(() => {});
  const supervise = async (name, argv, isRestartable) => {
    for (let pauseMs = SETTLE_MS; !stop.aborted; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      const startedMs = performance.now();
      const { code, signal } = await startProcess(node, [...END_WITH_PARENT, ...argv], { stop, hasChannel: true })
        .ended;
      if (!stop.aborted) await pause(SETTLE_MS);
      if (stop.aborted) {
        if (code !== 0 && exitCode === 0) exitCode = code;
        return;
      }
      const ended = `access-admin: the ${name} ended (${signal ?? `code ${code}`})`;
      if (code === WRONG_CONFIGURATION || !isRestartable()) {
        console.error(ended);
        return fail(code || 1);
      }
      if (performance.now() - startedMs > STEADY_MS) pauseMs = SETTLE_MS;
      console.error(`${ended}; it is started again in ${pauseMs / 1000} s`);
      await pause(pauseMs);
    }
  };
  return {
    stop,
    stopped,
    fail,
    /** Starts a process; `isRestartable` is asked each time it ends. */
    run: (name, argv, isRestartable) => ends.push(supervise(name, argv, isRestartable)),
    /** Resolves with the exit code once all processes have ended. */
    end: async () => {
      await Promise.all(ends);
      return exitCode;
    },
  };
}
