import type { Commit } from './commits.ts';
import { warnOf } from './warn-of.ts';

type Listener = (commit: Commit) => void;

interface Listeners {
  /** Returns the unsubscription. */
  subscribe(listener: Listener): () => void;
  /** Calls every listener. An error of one is a warning and affects neither the others nor the caller. */
  callAll(commit: Commit): void;
  clear(): void;
}

export function createListeners(): Listeners {
  const entries = new Set<Listener>();
  return {
    subscribe: (listener) => {
      // A new function, so that a listener may subscribe twice.
      const entry: Listener = (commit) => listener(commit);
      entries.add(entry);
      return () => {
        entries.delete(entry);
      };
    },
    callAll: (commit) => {
      for (const entry of [...entries]) {
        try {
          entry(commit);
        } catch (error) {
          warnOf(error);
        }
      }
    },
    clear: () => entries.clear(),
  };
}
