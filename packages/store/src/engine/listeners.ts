import { warnOf } from './warn-of.ts';

export interface Listeners {
  /** Returns the unsubscription. */
  subscribe(listener: () => void): () => void;
  /** What one of them throws is no matter of the others, nor of who calls. */
  callAll(): void;
  clear(): void;
}

export function createListeners(): Listeners {
  const entries = new Set<() => void>();
  return {
    subscribe: (listener) => {
      // Its own function, so that a listener may subscribe twice.
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
