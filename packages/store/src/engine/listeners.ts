import { warnOf } from './warn-of.ts';

export interface Listeners {
  /** Returns the unsubscription. */
  subscribe(listener: () => void): () => void;
  /** Calls every listener. An error of one is a warning and affects neither the others nor the caller. */
  callAll(): void;
  clear(): void;
}

export function createListeners(): Listeners {
  const entries = new Set<() => void>();
  return {
    subscribe: (listener) => {
      // A new function, so that a listener may subscribe twice.
      const entry = () => listener();
      entries.add(entry);
      return () => {
        entries.delete(entry);
      };
    },
    callAll: () => {
      for (const entry of [...entries]) {
        try {
          entry();
        } catch (error) {
          warnOf(error);
        }
      }
    },
    clear: () => entries.clear(),
  };
}
