import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Answer, readAnswer } from '../http/answer-reader.ts';

/** One side of a conversation on a connection of its own. */
export interface Talk {
  readonly pieces: readonly string[];
  /** The number of answers to wait for before the connection is tested. */
  readonly answers: number;
  /** Whether the answers have no body because they answer HEAD. */
  readonly isHead: boolean;
  /** Whether the sender closes its side. */
  readonly ends: boolean;
}

export interface Conversation {
  readonly answers: readonly Answer[];
  /** `hangs`: neither answered nor closed. */
  readonly leaves: 'open' | 'closed' | 'hangs';
}

/** The last request; no other request has this answer. */
const LAST = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n';
const isLast = ({ body }: Answer): boolean => body.includes('"keys"');

const SILENCE_MS = 3_000;

/** Sends the pieces, reads all answers, and tests whether the connection can still be used. */
export async function converse(port: number, talk: Talk): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const listener = listen(socket, talk);
  try {
    await once(socket, 'connect');
    for (const piece of talk.pieces) await write(socket, piece);
    if (talk.ends) socket.end();
    else {
      await listener.until(() => listener.answers.length >= talk.answers);
      if (!listener.isClosed()) await write(socket, LAST);
    }
    await listener.until(() => false);
    const { answers } = listener;
    const last = answers.at(-1);
    if (last !== undefined && isLast(last)) return { answers: answers.slice(0, -1), leaves: 'open' };
    return { answers, leaves: listener.isClosed() ? 'closed' : 'hangs' };
  } finally {
    socket.destroy();
  }
}

/** The service may have closed the connection; then the piece is lost. */
async function write(socket: Socket, piece: string): Promise<void> {
  await new Promise((resolve) => socket.write(Buffer.from(piece, 'latin1'), resolve));
  await turn();
}

function listen(socket: Socket, { answers: expected, isHead }: Talk) {
  const answers: Answer[] = [];
  let unread: Buffer = Buffer.alloc(0);
  let isClosed = false;
  let fault: unknown = null;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    try {
      for (let read = next(); read !== null; read = next()) {
        answers.push(read.answer);
        unread = read.rest;
      }
    } catch (error) {
      fault = error;
    }
    wake();
  });
  const next = () => readAnswer(unread, { isHead: isHead && answers.length < expected });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  return {
    answers,
    isClosed: () => isClosed,
    /** Resolves once the condition holds, the connection is closed, or the service is silent for long. */
    until: async (isSo: () => boolean) => {
      const endMs = performance.now() + SILENCE_MS;
      while (!isSo() && !isClosed && performance.now() < endMs) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, endMs - performance.now());
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (fault !== null) throw fault;
      if (isClosed && unread.length > 0) throw new Error(`an answer was cut: ${unread.toString('latin1', 0, 80)}`);
    },
  };
}
