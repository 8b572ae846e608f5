import type { ByteQueue } from './byte-queue.ts';

/** One answer as it came over the connection. */
export interface Answer {
  readonly status: number;
  /** By lower-case name; several of one name are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const BODYLESS = new Set([204, 304]);

/** Takes one answer. Rejects if the bytes end before, or are no answer of HTTP/1.1. */
export async function readAnswer(bytes: Pick<ByteQueue, 'take' | 'takeBefore'>, isHead: boolean): Promise<Answer> {
  const [statusLine = '', ...lines] = (await bytes.takeBefore('\r\n\r\n')).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(statusLine.slice(0, 80))}`);
  const headers = headersOf(lines);
  // An interim answer, such as 100 Continue, has no body.
  if (isHead || status < 200 || BODYLESS.has(status)) return { status, headers, body: Buffer.alloc(0) };
  if (headers.get('transfer-encoding') === 'chunked') return { status, headers, body: await readChunks(bytes) };
  // Without a length the answer would end with the connection; only an empty answer of the service may do that.
  return { status, headers, body: await bytes.take(Number(headers.get('content-length') ?? '0')) };
}

function headersOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = /^([^:]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`no header: ${JSON.stringify(line.slice(0, 80))}`);
    const earlier = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}

async function readChunks({ take, takeBefore }: Pick<ByteQueue, 'take' | 'takeBefore'>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (;;) {
    const size = Number.parseInt(await takeBefore('\r\n'), 16);
    if (Number.isNaN(size)) throw new Error('no chunk size');
    chunks.push((await take(size + '\r\n'.length)).subarray(0, size));
    if (size === 0) return Buffer.concat(chunks);
  }
}
