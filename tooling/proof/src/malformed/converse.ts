import { setImmediate as nextTurn } from 'node:timers/promises';
import { openRawConnection } from '../http/raw-connection.ts';
import type { Answer } from '../http/read-answer.ts';
import { isHead, type MalformedRow } from './malformed-row.ts';

export interface Conversation {
  readonly answers: readonly Answer[];
  /** `hangs`: neither answered nor closed. */
  readonly leaves: 'open' | 'closed' | 'hangs';
}

/** The last request; no other request has this answer. */
const LAST = 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n';
const isLast = (answer: Answer | undefined): boolean => answer?.body.includes('"keys"') ?? false;

const SILENCE_MS = 3_000;

/** Sends the pieces, reads all answers, and tests whether the connection can still be used. */
export async function converse(port: number, row: MalformedRow, pieces: readonly string[]): Promise<Conversation> {
  const { answers: expected, ends } = row;
  const connection = openRawConnection(port, SILENCE_MS);
  const answers: Answer[] = [];
  try {
    for (const piece of pieces) {
      await connection.write(Buffer.from(piece, 'latin1'));
      await nextTurn();
    }
    if (ends) connection.end();
    for (;;) {
      if (answers.length === expected.length && !ends) void connection.write(Buffer.from(LAST));
      const answer = await connection.read(isHead(row) && answers.length < expected.length);
      if (answer === null) break;
      answers.push(answer);
    }
  } finally {
    connection.close();
  }
  if (isLast(answers.at(-1))) return { answers: answers.slice(0, -1), leaves: 'open' };
  return { answers, leaves: connection.isSilent() ? 'hangs' : 'closed' };
}
