import { warnOf } from './warn-of.ts';

export interface Listeners<Told> {
  /** Returns the unsubscription. */
  subscribe(listener: (told: Told) => void): () => void;
  /** Calls every listener. An error of one is a warning and affects neither the others nor the caller. */
  callAll(told: Told): void;
  clear(): void;
}

export function createListeners<Told>(): Listeners<Told> {
  const entries = new Set<(told: Told) => void>();
  return {
    subscribe: (listener) => {
      // A new function, so that a listener may subscribe twice.
      const entry = (told: Told) => listener(told);
      entries.add(entry);
      return () => {
        entries.delete(entry);
      };
    },
    callAll: (told) => {
      for (const entry of [...entries]) {
        try {
          entry(told);
        } catch (error) {
          warnOf(error);
        }
      }
    },
    clear: () => entries.clear(),
  };
}
