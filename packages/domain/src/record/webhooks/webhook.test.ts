import { describe, expect, test } from 'vitest';
import { parseWebhookPatch, patchWebhookSettings, refuseAnotherWebhook, withoutQuery } from './webhook.ts';

const SETTINGS = {
  name: 'SIEM',
  url: 'https://hooks.example.com/a',
  types: ['sod.*', 'webhook.*'],
  format: 'cloudevents',
  enabled: true,
} as const;

/** The outcome of a patch: of its parse where that fails. */
function patched(...operations: readonly object[]) {
  const patch = parseWebhookPatch(operations);
  return patch.ok ? patchWebhookSettings(SETTINGS, patch.value) : patch;
}

describe('a patch of a webhook', () => {
  test.each([
    ['name', 'Other'],
    ['url', 'https://hooks.example.com/b'],
    ['types', ['*']],
    ['enabled', false],
  ])('may replace %s', (name, value) => {
    expect(patched({ op: 'replace', path: `/${name}`, value })).toEqual({
      ok: true,
      value: { ...SETTINGS, [name]: value },
    });
  });

  test('may remove a pattern', () => {
    expect(patched({ op: 'remove', path: '/types/0' })).toMatchObject({ ok: true, value: { types: ['webhook.*'] } });
  });

  test.each(['name', 'url', 'types', 'enabled'])('may not remove %s', (name) => {
    expect(patched({ op: 'remove', path: `/${name}` })).toEqual({
      ok: false,
      failure: { type: 'IllegalValue', causes: [{ at: name, text: 'must not be removed' }] },
    });
  });

  test.each(['id', 'created', 'modified', 'secret', 'disabledReason', ''])('may not touch /%s', (name) => {
    expect(patched({ op: 'replace', path: name === '' ? '' : `/${name}`, value: 'x' })).toMatchObject({
      ok: false,
      failure: { type: 'IllegalUpdate' },
    });
  });
});

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
