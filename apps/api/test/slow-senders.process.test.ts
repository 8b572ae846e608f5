import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';
import { openTestApi } from './test-api.ts';

const BEGINNINGS = {
  headers: 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: a',
  'a body':
    'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ng',
};

// Among the tests of processes, as it lasts as long as a sender may take.
test('senders who never end headers, or a body, are answered with 408 and cut off', async () => {
  const { app } = await openTestApi();
  const port = await listen(app);
  const answers = Object.entries(BEGINNINGS).map(async ([name, text]) => [name, await answerTo(port, text)]);
  expect(await Promise.all(answers)).toEqual(
    Object.keys(BEGINNINGS).map((name) => [name, expect.stringMatching(/^HTTP\/1\.1 408 /)]),
  );
});

/** What is answered to these bytes until the connection is cut off. */
async function answerTo(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
