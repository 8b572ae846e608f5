import type { Readable } from 'node:stream';
import type { RequestBody } from '@access-admin/contract';
import { fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import type { Exchange } from './exchange.ts';
import type { HttpFailure } from './problem.ts';

type TooLarge = Extract<HttpFailure, { type: 'BodyTooLarge' }>;
type Unsupported = Extract<HttpFailure, { type: 'UnsupportedMediaType' }>;

/** Whether the headers announce the one media type that is expected, in UTF-8 and not encoded. */
export function checkMediaType(exchange: Exchange, { mediaType }: RequestBody): Result<null, Unsupported> {
  const acceptPatch = mediaType === 'application/json-patch+json';
  const unsupported = (text: string) =>
    fail<Unsupported>({ type: 'UnsupportedMediaType', causes: [{ at: '', text }], acceptPatch });
  if (exchange.header('content-encoding') !== null) return unsupported('A Content-Encoding is not supported.');
  const contentType = exchange.header('content-type') ?? '';
  if (contentType === mediaType) return ok(null);
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (type !== mediaType) return unsupported(`The Content-Type must be ${mediaType}.`);
  if (!parameters.every((parameter) => /^(charset=("?)utf-8\2)?$/.test(parameter)))
    return unsupported('The only parameter may be charset, and it must be utf-8.');
  return ok(null);
}

/** Reads a body, never holding more than `bytesMax` bytes of it. */
export async function readBytes(
  { content }: Exchange,
  bytesMax: number,
): Promise<Result<Uint8Array, TooLarge | MalformedBody>> {
  const bytes = await collect(content, bytesMax);
  if (bytes === 'tooLarge')
    return fail({ type: 'BodyTooLarge', causes: [{ at: '', text: `The body may have at most ${bytesMax} bytes.` }] });
  return bytes === 'cut' ? fail(failure('MalformedBody', '', 'The body ended early.')) : ok(bytes);
}

/** By events: an asynchronous iteration takes several times as long for the one chunk that most bodies are. */
function collect(stream: Readable, bytesMax: number): Promise<Uint8Array | 'tooLarge' | 'cut'> {
  return new Promise((resolve) => {
    // The sender may have left before we came to its body; nothing would tell us any more.
    if (stream.destroyed) return resolve('cut');
    const chunks: Uint8Array[] = [];
    let total = 0;
    stream.on('data', (chunk: Uint8Array) => {
      total += chunk.byteLength;
      if (total <= bytesMax) return chunks.push(chunk);
      chunks.length = 0;
      return resolve('tooLarge');
    });
    stream.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    stream.on('error', () => resolve('cut'));
    stream.on('close', () => resolve('cut'));
  });
}
