import { checkJson, type StoredCheckText } from '../../predictions/check-result.ts';
import { boundedEventData, eventSubject } from './new-event.ts';

/**
 * The data of the event of a completed check as JSON text: the check as its GET shows it, with the result for events, or a
 * reference to the check where that is too large.
 */
export function checkEventData(check: StoredCheckText): string {
  const subject = eventSubject('sod.check.completed', check.requestId);
  return boundedEventData({ type: 'sod.check.completed', subject }, [...checkJson(check)].join(''));
}
