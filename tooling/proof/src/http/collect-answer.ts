import { type Answer, readAnswer } from './read-answer.ts';

const HEAD_LENGTH_MAX = 4_096;
const CHUNKED = /\r\ntransfer-encoding: chunked\r\n/i;
const LAST_CHUNK = '0\r\n\r\n';
// So many packets have its bytes at least, should each bring one.
const TAIL_PACKETS = 5;

/** Takes the packets of an answer; gives it with what came behind it once it is whole. Throws where they are no answer. */
export type CollectAnswer = (packet: Buffer) => { readonly answer: Answer; readonly rest: Buffer } | null;

/** A long answer in chunks is not read anew with each packet: only where the last chunk may have come. */
export function createCollectAnswer(isHead: boolean): CollectAnswer {
  let packets: Buffer[] = [];
  let isInChunks = false;
  return (packet) => {
    packets.push(packet);
    if (isInChunks && !Buffer.concat(packets.slice(-TAIL_PACKETS)).includes(LAST_CHUNK)) return null;
    const unread = Buffer.concat(packets);
    const read = readAnswer(unread, { isHead });
    if (read !== null) return read;
    isInChunks ||= CHUNKED.test(unread.toString('latin1', 0, HEAD_LENGTH_MAX));
    packets = [unread];
    return null;
  };
}
