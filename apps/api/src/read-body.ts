import { decodeUtf8, type RequestBody } from '@access-admin/contract';
import { fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import type { HttpFailure } from './problem.ts';

type TooLarge = Extract<HttpFailure, { type: 'BodyTooLarge' }>;
type Unsupported = Extract<HttpFailure, { type: 'UnsupportedMediaType' }>;

/** Whether the headers announce the one media type that is expected, in UTF-8 and not encoded. */
export function checkMediaType(headers: Headers, { mediaType }: RequestBody): Result<null, Unsupported> {
  const acceptPatch = mediaType === 'application/json-patch+json';
  const unsupported = (text: string) =>
    fail<Unsupported>({ type: 'UnsupportedMediaType', causes: [{ at: '', text }], acceptPatch });
  if (headers.has('content-encoding')) return unsupported('A Content-Encoding is not supported.');
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (type !== mediaType) return unsupported(`The Content-Type must be ${mediaType}.`);
  if (!parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter)))
    return unsupported('The charset must be utf-8.');
  return ok(null);
}

/** Reads a body of at most `bytesMax` bytes as UTF-8; never holds more than that. */
export async function readBody(request: Request, bytesMax: number): Promise<Result<string, TooLarge | MalformedBody>> {
  const bytes = await readBytes(request, bytesMax);
  return bytes.ok ? decodeUtf8(bytes.value) : bytes;
}

/** As `readBody`, undecoded. */
export async function readBytes(
  request: Request,
  bytesMax: number,
): Promise<Result<ArrayBuffer | Uint8Array, TooLarge | MalformedBody>> {
  try {
    return await readAtMost(request, bytesMax);
  } catch {
    return fail(failure('MalformedBody', '', 'The body ended early.'));
  }
}

async function readAtMost(request: Request, bytesMax: number): Promise<Result<ArrayBuffer | Uint8Array, TooLarge>> {
  const tooLarge = fail<TooLarge>({
    type: 'BodyTooLarge',
    causes: [{ at: '', text: `The body may have at most ${bytesMax} bytes.` }],
  });
  const length = request.headers.get('content-length');
  if (length !== null) {
    if (Number(length) > bytesMax) return tooLarge;
    // The HTTP parser holds the sender to the length that it announced.
    const bytes = await request.arrayBuffer();
    return bytes.byteLength > bytesMax ? tooLarge : ok(bytes);
  }
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of request.body ?? []) {
    total += chunk.byteLength;
    if (total > bytesMax) return tooLarge;
    chunks.push(chunk);
  }
  return ok(Buffer.concat(chunks));
}
