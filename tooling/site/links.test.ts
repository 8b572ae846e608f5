import { expect, test } from 'vitest';
import { rewriteLinks } from './links.ts';

test('a link between documents becomes relative to the page', () => {
  expect(rewriteLinks('[a](../reference/limits.md#load)', 'docs/guides/tasks.md')).toBe(
    '[a](./../reference/limits.md#load)',
  );
});

test('links to and from texts outside of docs lead to their pages', () => {
  expect(rewriteLinks('[a](../../packages/client/README.md#errors)', 'docs/guides/tasks.md')).toBe(
    '[a](./../reference/client.md#errors)',
  );
  expect(rewriteLinks('[a](docs/guides/webhooks.md)', 'SECURITY.md')).toBe('[a](./../guides/webhooks.md)');
  expect(rewriteLinks('[a](decisions)', 'docs/README.md')).toBe('[a](./decisions/index.md)');
});

test('a link to a file without a page becomes its text', () => {
  expect(rewriteLinks('see [the `command`](../../tooling/bench/src/main.ts).', 'docs/guides/tasks.md')).toBe(
    'see the `command`.',
  );
});

test('links to other sites and to headings of the page stay', () => {
  const text = '[a](https://example.com/b.md) and [c](#d)';
  expect(rewriteLinks(text, 'docs/guides/tasks.md')).toBe(text);
});
