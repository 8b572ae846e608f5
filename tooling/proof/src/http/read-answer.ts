/** One answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  /** By lower-case name; several of one name are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** An answer and what came after it. */
export interface ReadAnswer {
  readonly answer: Answer;
  readonly rest: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
const BODYLESS = new Set([204, 304]);

/** Reads one whole answer from the start of some bytes; null while it is not all there. Throws when it is no HTTP/1.1 answer. */
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

interface ReadBody {
  readonly body: Buffer;
  readonly rest: Buffer;
}

/** Without a length the answer would end with the connection, which no answer of the service but an empty one may. */
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
