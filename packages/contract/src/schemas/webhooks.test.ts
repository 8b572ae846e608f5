import { EVENT_TYPE_NAMES } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { WEBHOOK_TYPES_MAX } from '../limits.ts';
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

describe('the URL of a webhook', () => {
  const url = (value: string) => {
    const outcome = patched({ op: 'replace', path: '/url', value });
    return outcome.ok ? outcome.value.url : [outcome.failure.type, outcome.failure.causes.map(({ at }) => at)];
  };

  test('has at most 2,048 characters', () => {
    const longest = `https://hooks.example.com/${'a'.repeat(2048 - 26)}`;
    expect(url(longest)).toBe(longest);
    expect(url(`${longest}a`)).toEqual(['LengthOutOfRange', ['url']]);
  });

  test('is not repeated by a refusal', () => {
    const refused = patched({ op: 'replace', path: '/url', value: 'https://user:s3cret@hooks.example.com/' });
    expect(JSON.stringify(refused)).not.toContain('s3cret');
  });

  test('is left as connections read it', () => {
    expect(url('HTTPS://Hooks.Example.com:443/a/../b')).toBe('https://hooks.example.com/b');
  });

  test.each([
    ['', 'RequiredMissing'],
    ['hooks.example.com', 'IllegalValue'],
    ['ftp://hooks.example.com/', 'IllegalValue'],
    ['wss://hooks.example.com/', 'IllegalValue'],
    ['file:///etc/passwd', 'IllegalValue'],
    ['data:text/plain,x', 'IllegalValue'],
    ['https://user@hooks.example.com/', 'IllegalValue'],
    ['https://user:secret@hooks.example.com/', 'IllegalValue'],
    ['https://:secret@hooks.example.com/', 'IllegalValue'],
    ['http://user:secret@127.0.0.1:9000/', 'IllegalValue'],
    ['https://hooks.example.com/#part', 'IllegalValue'],
    [`https://hooks.example.com/${'a'.repeat(2048)}`, 'LengthOutOfRange'],
    [`https://hooks.example.com/${'ü'.repeat(400)}`, 'LengthOutOfRange'],
    [`https://hooks.example.com/${'./'.repeat(1100)}`, 'LengthOutOfRange'],
  ])('is not %s', (text, type) => {
    expect(url(text)).toEqual([type, ['url']]);
  });
});

describe('the patterns of a webhook', () => {
  const patterns = (value: readonly string[]) => {
    const outcome = patched({ op: 'replace', path: '/types', value });
    return outcome.ok ? null : [outcome.failure.type, outcome.failure.causes.map(({ at, text }) => [at, text])];
  };
  const some = [...EVENT_TYPE_NAMES, 'sod.*', 'oauth-client.*', 'webhook.*', 'sign-in.*', '*'];

  test('are types, beginnings of types and *, each once', () => {
    expect(patterns(['*', 'sod.*', 'sod.policy.*', 'sod.policy.created'])).toBeNull();
    expect(patterns(['sod.*', 'sod.*'])).toEqual(['IllegalValue', [['types[1]', 'must not be repeated']]]);
    expect(patterns(['sod.*', 'sod.policy', 'sod.chec*'])).toMatchObject([
      'IllegalValue',
      [['types[1]'], ['types[2]']].map(([at]) => [at, expect.stringContaining('such as sod.check.*')]),
    ]);
  });

  test('are 1 to 50', () => {
    expect(patterns([])).toEqual(['RequiredMissing', [['types', 'must not be empty']]]);
    expect(patterns(Array.from({ length: WEBHOOK_TYPES_MAX + 1 }, (_, at) => some[at] ?? `x${at}`))).toEqual([
      'LimitExceeded',
      [['types', 'must have at most 50 patterns']],
    ]);
  });
});
