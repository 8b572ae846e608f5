import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { NodeExchange } from './node-exchange.ts';

test('the signal of an exchange is one for all that wait, and is aborted when the response closes', () => {
  const incoming = new IncomingMessage(new Socket());
  const outgoing = new ServerResponse(incoming);
  const exchange = new NodeExchange(incoming, outgoing);
  const listeners = outgoing.listenerCount('close');
  const signals = new Set(Array.from({ length: 256 }, () => exchange.signal()));
  expect([signals.size, outgoing.listenerCount('close') - listeners]).toEqual([1, 1]);
  expect(exchange.signal().aborted).toBe(false);
  outgoing.emit('close');
  expect(exchange.signal().aborted).toBe(true);
});

test('the signal of an exchange without a response is aborted', () => {
  expect(new NodeExchange(new IncomingMessage(new Socket()), null).signal().aborted).toBe(true);
});
