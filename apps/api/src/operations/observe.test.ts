import { expect, test } from 'vitest';
import { bareExchange } from '../../test/bare-exchange.ts';
import { CallerLeft, DeadlineExceeded } from '../event-loop/deadline.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { createSecurityHeaders } from '../http/security-headers.ts';
import type { RequestLine } from '../telemetry/request-log.ts';
import { createObserve } from './observe.ts';

function observing() {
  const lines: RequestLine[] = [];
  const errors: object[] = [];
  const observed: number[] = [];
  const aborted: number[] = [];
  const observe = createObserve({
    log: { request: (line) => lines.push(line), error: (fields) => errors.push(fields) },
    metrics: {
      observe: ({ status }) => observed.push(status),
      countAbortedUpload: () => aborted.push(1),
      countConnection: () => {},
      addRoom: (_, room) => room,
      render: async () => ({ contentType: '', text: '' }),
    },
    addSecurityHeaders: createSecurityHeaders('http://x'),
    elapsed: () => 0,
    newTrackingId: () => 'id',
    stopping: new AbortController().signal,
    pieceTurn: async () => {},
  });
  return { observe, lines, errors, observed, aborted };
}

const piecesOf = (body: HttpResponse['body']) => body as AsyncIterable<string>;

async function* failing(): AsyncGenerator<string> {
  yield 'first';
  throw new Error('late');
}

test('an answer in pieces is logged and measured at its end', async () => {
  const { observe, lines, observed } = observing();
  async function* pieces(): AsyncGenerator<string> {
    yield 'a';
    yield 'b';
  }
  const reply = await observe(() => ({ status: 200, headers: {}, body: pieces() }))(bareExchange());
  let text = '';
  for await (const piece of piecesOf(reply.body)) {
    expect(lines).toEqual([]);
    text += piece;
  }
  expect([text, lines.length, observed]).toEqual(['ab', 1, [200]]);
});

test('an error in the middle of a response is logged as a bug and cuts the response', async () => {
  const { observe, lines, errors } = observing();
  const reply = await observe(() => ({ status: 200, headers: {}, body: failing() }))(bareExchange());
  const read = async () => {
    for await (const _ of piecesOf(reply.body));
  };
  await expect(read()).rejects.toThrow('late');
  expect(errors).toEqual([{ trackingId: 'id', err: expect.objectContaining({ message: 'late' }) }]);
  expect(lines).toHaveLength(1);
});

test('an abort in the middle of a response is not logged as a bug', async () => {
  const { observe, lines, errors } = observing();
  const reply = await observe(() => ({ status: 200, headers: {}, body: failing() }))(bareExchange());
  const pieces = piecesOf(reply.body)[Symbol.asyncIterator]();
  await pieces.next();
  await expect(pieces.throw?.(new Error('Premature close'))).rejects.toThrow('Premature close');
  expect([errors, lines.length]).toEqual([[], 1]);
});

test('a request that is aborted before the first piece is logged, too', async () => {
  const { observe, lines, observed } = observing();
  const leaving = new AbortController();
  const handler = () => ({ status: 200, headers: {}, body: failing() });
  await observe(handler)(bareExchange('GET', leaving.signal));
  expect(lines).toEqual([]);
  leaving.abort();
  expect([lines.length, observed]).toEqual([1, [200]]);
  await observe(handler)(bareExchange('GET', leaving.signal));
  expect(lines).toHaveLength(2);
});

test('a response to HEAD, whose pieces are not read, is logged at once', async () => {
  const { observe, lines } = observing();
  await observe(() => ({ status: 200, headers: {}, body: failing() }))(bareExchange('HEAD'));
  expect(lines).toHaveLength(1);
});

test('an error that a handler throws, at once or later, is answered once', async () => {
  const { observe, lines, observed } = observing();
  const throwing = () => {
    throw new Error('bug');
  };
  expect((await observe(throwing)(bareExchange())).status).toBe(500);
  expect((await observe(async () => throwing())(bareExchange())).status).toBe(500);
  expect(lines).toHaveLength(2);
  expect(observed).toEqual([500, 500]);
});

test('an aborted body is counted, and neither logged nor measured', async () => {
  const { observe, lines, observed, aborted } = observing();
  const handler = () => ({ status: 400, headers: {}, body: 'x' });
  await observe(handler)({ ...bareExchange('POST'), isBodyAborted: () => true });
  expect([lines, observed, aborted]).toEqual([[], [], [1]]);
});

test.each([
  [new DeadlineExceeded(), { detailCode: '503', reason: 'deadline' }],
  [new CallerLeft(), null],
])('a response that %s has cut is no bug', async (error, refusal) => {
  const { observe, lines, errors } = observing();
  async function* pieces(): AsyncGenerator<string> {
    yield 'first';
    throw error;
  }
  const reply = await observe(() => ({ status: 200, headers: {}, body: pieces() }))(bareExchange());
  const read = async () => {
    for await (const _ of piecesOf(reply.body));
  };
  await expect(read()).rejects.toBe(error);
  expect([errors, lines.map((line) => line.refusal)]).toEqual([[], [refusal]]);
});

test.each([
  [new DeadlineExceeded(), '10'],
  [new DeadlineExceeded(false), undefined],
])('a request beyond its deadline is told when to try again only if it had no effect', async (error, retryAfter) => {
  const { observe, lines } = observing();
  const { status, headers } = await observe(() => Promise.reject(error))(bareExchange('POST'));
  expect([status, headers['retry-after'], lines[0]?.refusal]).toEqual([
    503,
    retryAfter,
    { detailCode: '503', reason: 'deadline' },
  ]);
});
