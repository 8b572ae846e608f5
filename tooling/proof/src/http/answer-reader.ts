/** One answer as it came over the connection. */
export interface Answer {
  readonly status: number;
  /** By lower-case name; several of one name are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** An answer and the bytes after it. */
export interface ReadAnswer {
  readonly answer: Answer;
  readonly rest: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const BODYLESS = new Set([204, 304]);

/** Reads one whole answer from the start of some bytes; null while it is incomplete. Throws if it is no HTTP/1.1 answer. */
export function readAnswer(bytes: Buffer, { isHead }: { readonly isHead: boolean }): ReadAnswer | null {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(statusLine.slice(0, 80))}`);
  const rest = bytes.subarray(end + HEAD_END.length);
  const headers = headersOf(lines);
  // An interim answer, such as 100 Continue, has no body.
  if (isHead || status < 200 || BODYLESS.has(status))
    return { answer: { status, headers, body: Buffer.alloc(0) }, rest };
  const read = headers.get('transfer-encoding') === 'chunked' ? readChunks(rest) : readLength(rest, headers);
  return read === null ? null : { answer: { status, headers, body: read.body }, rest: read.rest };
}

function headersOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`no header: ${JSON.stringify(line.slice(0, 80))}`);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}

type ReadBody = Pick<ReadAnswer, 'rest'> & { readonly body: Buffer };

/** Without a length the answer would end with the connection; only an empty answer of the service may do that. */
function readLength(bytes: Buffer, headers: ReadonlyMap<string, string>): ReadBody | null {
  const length = Number(headers.get('content-length') ?? '0');
  return bytes.length < length ? null : { body: bytes.subarray(0, length), rest: bytes.subarray(length) };
}

function readChunks(bytes: Buffer): ReadBody | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf(LINE_END, at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('no chunk size');
    const start = lineEnd + LINE_END.length;
    const next = start + size + LINE_END.length;
    if (bytes.length < next) return null;
    if (size === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(next) };
    chunks.push(bytes.subarray(start, start + size));
    at = next;
  }
}

const HEAD_LENGTH_MAX = 4_096;
const CHUNKED = /\r\ntransfer-encoding: chunked\r\n/i;
const LAST_CHUNK = '0\r\n\r\n';
// Even if each packet brings one byte, this many hold the last chunk.
const TAIL_PACKETS = 5;

/** Takes the packets of an answer; returns it once it is complete. Throws if they are no answer. */
export function createAnswerReader(isHead: boolean): (packet: Buffer) => ReadAnswer | null {
  let packets: Buffer[] = [];
  let isInChunks = false;
  return (packet) => {
    packets.push(packet);
    // A long chunked answer is parsed again only when its last chunk may have come.
    if (isInChunks && !Buffer.concat(packets.slice(-TAIL_PACKETS)).includes(LAST_CHUNK)) return null;
    const unread = Buffer.concat(packets);
    const read = readAnswer(unread, { isHead });
    if (read !== null) return read;
    isInChunks ||= CHUNKED.test(unread.toString('latin1', 0, HEAD_LENGTH_MAX));
    packets = [unread];
    return null;
  };
}
