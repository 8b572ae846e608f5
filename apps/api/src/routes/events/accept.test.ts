import { expect, test } from 'vitest';
import { contextOf } from '../../../test/context-of.ts';
import { formatOf } from './accept.ts';

test.each([
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['text/html', 'json'],
  ['text/*', 'json'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['text/event-stream', 'stream'],
  ['Text/Event-Stream', 'stream'],
  ['text/event-stream;q=0', 'json'],
  ['text/event-stream; charset=utf-8', 'stream'],
  ['application/json;q=0.4, application/x-ndjson;q=0.8', 'ndjson'],
  ['application/x-ndjson;q=0.4, text/html, application/json;q=0.8', 'json'],
  ['text/event-stream;q=0.1, */*', 'stream'],
  // Of those rated alike, the first.
  ['application/x-ndjson, application/json', 'ndjson'],
  ['text/event-stream;q=0.5, application/json;q=0.5', 'stream'],
])('Accept %j asks for %s', (accept, format) => {
  expect(formatOf(contextOf({ headers: accept === undefined ? {} : { accept } }))).toBe(format);
});
