import type { SodCheck } from '../prediction/check.ts';
import { boundedEventData, eventSubject } from './new-event.ts';

/** The most violation contexts of a check in an event. */
export const EVENT_CONTEXTS_MAX = 100;

/** A completed check as it is stored. */
export interface CompletedCheck extends Pick<SodCheck, 'requestId' | 'created' | 'completed'> {
  readonly state: string;
  /** A `SodCheckResult` as JSON text. */
  readonly result: string;
}

/**
 * The data of the event of a completed check as JSON text: the check as its GET shows it, with at most 100 violation contexts
 * and the number of those left out, or a reference to the check where that is too large.
 */
export function checkEventData({ requestId, created, state, completed, result }: CompletedCheck): string {
  const opening = JSON.stringify({ requestId, created, state, completed }).slice(0, -1);
  const data = `${opening},"violationCheckResult":${withFewContexts(result)}}`;
  return boundedEventData(
    { type: 'sod.check.completed', subject: eventSubject('sod.check.completed', requestId) },
    data,
  );
}

// Quotes within texts are escaped, and values of metadata are texts: no other part of a result has these characters.
const CONTEXTS = '"violationContexts":[';
const AFTER_CONTEXTS = '],"violatedPolicies":[';
const COUNTS = /("violationCount":(\d+),"omitted":)\d+/;

/** Cuts the text, because a result may have megabytes. */
function withFewContexts(result: string): string {
  const start = result.indexOf(CONTEXTS) + CONTEXTS.length;
  const end = result.lastIndexOf(AFTER_CONTEXTS);
  const cut = endOfElements(result, start, end);
  if (cut === null) return result;
  const rest = result
    .slice(end)
    .replace(COUNTS, (_, counts: string, count: string) => `${counts}${Number(count) - EVENT_CONTEXTS_MAX}`);
  return `${result.slice(0, cut)}${rest}`;
}

/** Where the first elements of an array end; null when it has no more of them. */
function endOfElements(text: string, start: number, end: number): number | null {
  let [depth, count] = [0, 0];
  for (let at = start; at < end; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 0 && ++count === EVENT_CONTEXTS_MAX) return at;
  }
  return null;
}

/** The place of the closing quote of the JSON text that begins at a quote. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
