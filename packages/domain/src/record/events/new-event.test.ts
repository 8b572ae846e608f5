import { describe, expect, test } from 'vitest';
import { boundedEventData, EVENT_DATA_BYTES_MAX, eventReference } from './new-event.ts';

const SUBJECT = { type: 'sod.check.completed', resourceId: 'c-1' } as const;
const REFERENCE = '{"type":"SOD_CHECK","id":"c-1"}';

describe('the data of an event', () => {
  test.each([
    ['a', 1],
    ['ü', 2],
    ['€', 3],
    ['😀', 4],
  ])('of the character %s may have 256 KiB; larger data is replaced by a reference', (character, bytes) => {
    const count = Math.floor(EVENT_DATA_BYTES_MAX / bytes);
    const most = character.repeat(count) + 'a'.repeat(EVENT_DATA_BYTES_MAX - count * bytes);
    expect(boundedEventData(SUBJECT, most) === most).toBe(true);
    expect(boundedEventData(SUBJECT, `${most}a`)).toBe(REFERENCE);
  });

  test('that is a reference has an empty id where the event concerns no single resource', () => {
    expect(eventReference({ type: 'access-model.imported', resourceId: null })).toBe('{"type":"ACCESS_MODEL","id":""}');
  });
});
