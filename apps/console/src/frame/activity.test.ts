import { expect, test } from 'vitest';
import { createMarkedFetch } from './activity.ts';

test('a request is a poll half a minute after the last act of the person, until the next one', async () => {
  const acts = new EventTarget();
  const sent = [] as (string | null)[];
  let nowMs = 0;
  const send = createMarkedFetch(
    acts,
    async (_, { headers }) => {
      sent.push(new Headers(headers).get('prefer'));
      return new Response();
    },
    () => nowMs,
  );
  const sendAt = (ms: number, headers = {}) => {
    nowMs = ms;
    return send('/', { headers });
  };
  await sendAt(30_000);
  await sendAt(30_001);
  await sendAt(30_002, { prefer: 'wait=5' });
  acts.dispatchEvent(new Event('keydown'));
  await sendAt(60_002);
  await sendAt(60_003);
  expect(sent).toEqual([null, 'wait=0', 'wait=5', null, 'wait=0']);
});
