import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Answer, readAnswer } from '../http/answer-reader.ts';

/** What is said on a connection of its own. */
export interface Talk {
  readonly pieces: readonly string[];
  /** How many answers there must be before it is asked whether the connection still works. */
  readonly answers: number;
  /** Whether these answers have no body, being answers to HEAD. */
  readonly isHead: boolean;
  /** Whether the sender says that no more will come. */
  readonly ends: boolean;
}

export interface Conversation {
  readonly answers: readonly Answer[];
  /** `hangs`: neither answered nor closed. */
  readonly leaves: 'open' | 'closed' | 'hangs';
}

/** Asked at the end: no other request of ours has this answer. */
const LAST = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n';
const isLast = ({ body }: Answer): boolean => body.includes('"keys"');

const SILENCE_MS = 3_000;

/** Says it, hears all that comes back, and finds out whether the connection can still be used. */
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

/** A piece that nobody takes any more is no fault of the talk. */
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
    /** Resolves once it is so, or the connection is closed, or nothing comes for long. */
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
