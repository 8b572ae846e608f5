import { expect, test } from 'vitest';
import { readContents } from './contents.ts';

test('the parts and pages of the list of documents, in their order', () => {
  const text = `# Documents

## Start

- [First steps](start/first-steps.md): begin here
- [The client](../packages/client/README.md): the SDK

## Decisions

- [Decisions](decisions): what was decided
`;
  expect(readContents(text)).toEqual([
    {
      title: 'Start',
      entries: [
        { text: 'First steps', link: '/start/first-steps' },
        { text: 'The client', link: '/reference/client' },
      ],
    },
    { title: 'Decisions', entries: [{ text: 'Decisions', link: '/decisions/' }] },
  ]);
});
