import { expect, test } from 'vitest';
import { parseWebhookTargets } from './targets.ts';

test('the listed targets are origins', () => {
  expect([...(parseWebhookTargets('http://127.0.0.1:9000, https://SIEM.corp.example:443/') ?? [])]).toEqual([
    'http://127.0.0.1:9000',
    'https://siem.corp.example',
  ]);
  for (const wrong of [
    '',
    ',',
    'siem.corp.example',
    'ftp://a',
    'https://a/path',
    'https://a?b',
    'https://u:p@a',
    '*',
    'https://',
  ])
    expect([wrong, parseWebhookTargets(wrong)]).toEqual([wrong, null]);
});
