import type { Steps, TextSteps } from '@access-admin/domain';
import { createFairTurns } from './fair-turns.ts';

/**
 * Runs long work with one step of all of it in each turn of the event loop: however much long work there is, a short request
 * waits for one step at most.
 */
export interface Pace {
  /** Runs steps to their end. */
  run<T>(steps: Steps<T>): Promise<T>;
  /** Passes on text in chunks while it is written. No step is taken ahead of a slow reader. */
  text(text: TextSteps): AsyncIterable<string>;
}

const CHUNK_LENGTH = 65_536;

export function createPace(): Pace {
  const turn = createFairTurns();
  return {
    run: async (steps) => {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done === true) return step.value;
        await turn();
      }
    },
    text: async function* ({ sink, steps }) {
      for (const _ of steps) {
        if (sink.text.length >= CHUNK_LENGTH) yield takeText(sink);
        await turn();
      }
      if (sink.text !== '') yield takeText(sink);
    },
  };
}

function takeText(sink: TextSteps['sink']): string {
  const { text } = sink;
  sink.text = '';
  return text;
}
