import type { Steps } from './work-budget.ts';

/** Collects text that is written piece by piece. A reader may remove the pieces so far at each pause of the writer. */
export interface TextSink {
  text: string;
}

/** Text that is being written. At the end `sink` contains the text that no reader has removed. */
export interface TextSteps {
  readonly sink: TextSink;
  readonly steps: Steps<unknown>;
}
