import answers from '../../examples/answers.json' with { type: 'json' };
import refusals from '../../examples/refusals.json' with { type: 'json' };
import { tooLargeText } from '../limits.ts';

/*
 * What a real server answers, as tooling/e2e/openapi-examples.test.ts records it: the test fails where the server answers
 * otherwise, and `npm run examples` writes down what it answers now.
 */

/**
 * The answers to the requests of `requests.json`, and that of the token endpoint, by the id of their operation. NDJSON is an
 * array of its first lines.
 */
export const ANSWERS: Readonly<Record<string, unknown>> = answers;

/** Bodies of refusals by status. */
export const REFUSALS: Readonly<Record<string, object>> = refusals;

/** The body of a 413 where a body can have at most `bytesMax` bytes. */
export const bodyTooLarge = (bytesMax: number): object => ({
  ...refusals[413],
  causes: refusals[413].causes.map((cause) => ({ ...cause, text: tooLargeText(bytesMax) })),
});
