import type { Steps } from './work-budget.ts';

/** Collects text that is written piece by piece. A reader may remove the pieces so far at each pause of the writer. */
export interface TextSink {
  text: string;
}

/** Text that is being written. At the end `sink` contains the text that no reader has removed. */
export interface TextSteps {
  readonly sink: TextSink;
  readonly steps: Steps<void>;
}

/** The text as one piece per pause; many pieces are empty. */
export function* piecesOf({ sink, steps }: TextSteps): Generator<string, void> {
  for (let step = steps.next(); ; step = steps.next()) {
    const { text } = sink;
    sink.text = '';
    yield text;
    if (step.done === true) return;
  }
}
