import { describe, expect, test } from 'vitest';
import { webhookPatch } from './webhooks.ts';

const SETTINGS = {
  name: 'SIEM',
  url: 'https://hooks.example.com/a',
  types: ['sod.*', 'webhook.*'],
  format: 'cloudevents',
  enabled: true,
} as const;

/** The outcome of a patch: of its parse where that fails. */
function patched(...operations: readonly object[]) {
  const patch = webhookPatch.parse(operations);
  return patch.ok ? webhookPatch.apply(SETTINGS, patch.value) : patch;
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
