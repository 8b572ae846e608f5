import { checkJson, type StoredCheckText } from '../../predictions/check-result.ts';
import { boundedEventData } from './new-event.ts';

/**
 * The data of the event of a completed check as JSON text: the check as its GET shows it, with the result for events, or a
 * reference to the check where that is too large.
 */
export function checkEventData(check: StoredCheckText): string {
  const event = { type: 'sod.check.completed', resourceId: check.requestId } as const;
  return boundedEventData(event, [...checkJson(check)].join(''));
}
