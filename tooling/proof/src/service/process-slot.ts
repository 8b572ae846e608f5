import type { Ending, RunningProcess } from '@access-admin/harness';

/** A slot for a process of the service; the process can be replaced. */
export type ProcessSlot = ReturnType<typeof openSlot>;

/** Starts the first process. A process that ends by itself is reported and replaced. */
export function openSlot(name: string, start: () => RunningProcess, reportCrash: (text: string) => void) {
  let isCleared = false;
  let process = begin();

  function begin(): RunningProcess {
    const started = start();
    started.ended.then(
      ({ code, signal }) => {
        if (isCleared || started !== process) return;
        reportCrash(`${name} ended by itself (${signal ?? code}): ${started.output().trim().slice(-500)}`);
        process = begin();
      },
      (error: unknown) => reportCrash(`${name} did not start: ${error}`),
    );
    return started;
  }

  return {
    /** Such as `api 1`. */
    name,
    get process() {
      return process;
    },
    /** Ends the process with a signal and starts the next one as soon as it has ended. */
    async replace(signal: NodeJS.Signals): Promise<Ending> {
      const ending = process;
      // From now on the end of this process is no crash.
      const idle: RunningProcess = { ...ending };
      process = idle;
      const how = await ending.stop(signal);
      if (process === idle && !isCleared) process = begin();
      return how;
    },
    async clear() {
      isCleared = true;
      await process[Symbol.asyncDispose]();
    },
  };
}

/** Sends the processes of some slots a signal that does not end them. */
export function signalAll(slots: readonly ProcessSlot[], signal: NodeJS.Signals): void {
  for (const slot of slots) process.kill(slot.process.pid, signal);
}
