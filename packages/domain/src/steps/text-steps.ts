import type { Steps } from './work-budget.ts';

/** Takes text that is written piece by piece. Its reader may take pieces out of it at each pause of the writer. */
export interface TextSink {
  text: string;
}

/** Text in the making: in the end `sink` has what has not been taken out of it. */
export interface TextSteps {
  readonly sink: TextSink;
  readonly steps: Steps<void>;
}

/** Text by the pieces that are there at each pause, many of them empty. */
export function* piecesOf({ sink, steps }: TextSteps): Generator<string, void> {
  for (let step = steps.next(); ; step = steps.next()) {
    const { text } = sink;
    sink.text = '';
    yield text;
    if (step.done === true) return;
  }
}
