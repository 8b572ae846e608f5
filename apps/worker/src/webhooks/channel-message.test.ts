import { describe, expect, test } from 'vitest';
import { writeChannelMessage } from './channel-message.ts';

const SOURCE = 'https://acme.example';
const VIOLATION = {
  type: 'sod.violation.opened',
  resourceId: 'v-1',
  data: JSON.stringify({
    id: 'v-1',
    level: 'High',
    target: { type: 'IDENTITY', id: 'i-1', name: 'Ada <https://evil.example|Lovelace> & <!channel>' },
    policy: { type: 'SOD_POLICY', id: 'p-1', name: 'Vendors and payments' },
  }),
} as const;

describe('a message to a channel', () => {
  test('tells what has happened to whom, with a link', () => {
    expect(JSON.parse(writeChannelMessage('slack', VIOLATION, SOURCE))).toEqual({
      text: [
        'A violation has begun.',
        'Ada &lt;https://evil.example|Lovelace&gt; &amp; &lt;!channel&gt; · Vendors and payments · High',
        '<https://acme.example/console/violations?open=v-1|Open the console>',
      ].join('\n'),
    });
  });

  test('is a card in Teams, whose texts are not Markdown', () => {
    const { type, attachments } = JSON.parse(writeChannelMessage('teams', VIOLATION, SOURCE));
    expect(type).toBe('message');
    expect(attachments[0].content.body.map(({ type }: { type: string }) => type)).toEqual([
      'RichTextBlock',
      'RichTextBlock',
    ]);
    expect(attachments[0].content.actions).toEqual([
      {
        type: 'Action.OpenUrl',
        title: 'Open the console',
        url: 'https://acme.example/console/violations?open=v-1',
      },
    ]);
  });

  test.each([
    ['auth-user.factor-added', 'i/1', '{"displayName":"Ada"}', 'Ada', '/console/people/i%2F1'],
    ['sign-in.locked', null, '{"displayName":null}', '', '/console/people'],
    ['sod.check.completed', 'c-1', JSON.stringify({ name: 'x'.repeat(70_000) }), 'c-1', '/console/audit-log'],
    ['webhook.test', 'w-1', 'null', 'w-1', '/console/settings/webhooks'],
  ] as const)('of %s has a name and a page', (type, resourceId, data, name, page) => {
    const { text } = JSON.parse(writeChannelMessage('slack', { type, resourceId, data }, SOURCE));
    const lines = text.split('\n');
    expect(lines.slice(1, -1).join()).toBe(name);
    expect(lines.at(-1)).toBe(`<${SOURCE}${page}|Open the console>`);
  });
});
