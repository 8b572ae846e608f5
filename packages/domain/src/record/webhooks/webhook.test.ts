import { expect, test } from 'vitest';
import { refuseAnotherWebhook, withoutQuery } from './webhook.ts';

test('a tenant has at most 50 webhooks', () => {
  expect(refuseAnotherWebhook(49)).toBeNull();
  expect(refuseAnotherWebhook(50)).toEqual({
    type: 'LimitExceeded',
    causes: [{ at: '', text: 'a tenant has at most 50 webhooks' }],
  });
});

test('events and the audit log show no query of a URL', () => {
  expect(withoutQuery({ url: 'https://hooks.example.com/a' }).url).toBe('https://hooks.example.com/a');
  for (const query of ['', 'token=s3cret', 'a=b?token=s3cret'])
    expect(withoutQuery({ url: `https://hooks.example.com/a?${query}` }).url).toBe('https://hooks.example.com/a?…');
});
