import { parentPort } from 'node:worker_threads';
import { type AnswerDelivery, openReceiver } from './receiver.ts';

// A thread of its own: what these receivers do does not delay the receivers that are well, which measure.

const SLOW_MS = 200;
const PIECE = Buffer.alloc(65_536, 'a');
/** 1 GB. */
const PIECES = 16_384;
/** Where redirects lead. */
const REDIRECTED = '/redirected';
/** The service reads 64 KiB of an answer; the rest is what sockets of both sides hold. */
const TAKEN_BYTES_MAX = 16 * 2 ** 20;

let mostBytes = 0;

const answerSlowly: AnswerDelivery = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('a'), SLOW_MS);
  response.on('close', () => clearInterval(timer));
};

const redirect: AnswerDelivery = (response, request) =>
  void response.writeHead(302, { location: `http://${request.headers.host}${REDIRECTED}` }).end();

const answerLarge: AnswerDelivery = (response) => {
  response.writeHead(200);
  let left = PIECES;
  let bytes = 0;
  const write = () => {
    while (left-- > 0 && !response.destroyed) {
      bytes += PIECE.length;
      mostBytes = Math.max(mostBytes, bytes);
      if (!response.write(PIECE)) return;
    }
    response.end();
  };
  response.on('drain', write);
  write();
};

const ANSWERS: Readonly<Record<string, AnswerDelivery>> = {
  hanging: () => {},
  slow: answerSlowly,
  'answering 500': (response) => void response.writeHead(500).end('no'),
  'answering 410': (response) => void response.writeHead(410).end(),
  redirecting: redirect,
  'answering 1 GB': answerLarge,
};

const receivers = await Promise.all(
  Object.entries(ANSWERS).map(async ([kind, answer]) => ({ kind, receiver: await openReceiver(answer) })),
);

parentPort?.on('message', () => {
  const figures = receivers.map(({ kind, receiver: { origin, arrivals } }) => ({
    ...{ kind, origin, arrivals: arrivals.length },
    findings: [
      ...(arrivals.some(({ path }) => path === REDIRECTED) ? ['a redirect was followed'] : []),
      ...(kind === 'answering 1 GB' && mostBytes > TAKEN_BYTES_MAX
        ? [`${mostBytes} bytes of an answer were taken`]
        : []),
    ],
  }));
  parentPort?.postMessage(figures);
});
