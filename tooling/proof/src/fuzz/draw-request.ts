import { drawOne } from '../campaign/random.ts';
import type { ApiDocument, ApiOperation, ApiParameter } from '../http/api-document.ts';
import type { Caller } from './callers.ts';
import { drawJson, type Source } from './draw-json.ts';
import { type Draft, RARE_SPOILS, SPOILS } from './spoil-request.ts';

/** A drawn request and its caller. */
export interface DrawnRequest extends Draft {
  readonly caller: Caller;
}

/** The source of drawn requests. */
export interface RequestSource extends Source {
  readonly document: ApiDocument;
  readonly callers: readonly Caller[];
}

const latin = (text: string): string => Buffer.from(text).toString('latin1');
const FORM_BYTES_MAX = 65_536;
/** Expensive operations, and those without input, are drawn this many times less often. */
const SELDOM = 8;

/** Draws a request that its operation allows, and mostly spoils it. */
export function drawRequest(source: RequestSource): DrawnRequest {
  const { random, document, callers } = source;
  let operation = drawOne(random, document.operations);
  while (isCostly(operation) && random(SELDOM) > 0) operation = drawOne(random, document.operations);
  const caller = drawOne(random, callers);
  let draft = drawDraft(operation, caller.authorization(random), source);
  const spoils = random(4) === 0 ? 0 : 1 + random(3);
  for (let left = spoils; left > 0; left--) {
    const spoil = drawOne(random, random(60) === 0 ? RARE_SPOILS : SPOILS);
    draft = spoil(draft, random);
  }
  // The parser may refuse a target that is not a path.
  return { ...draft, caller, isRaw: draft.isRaw || !draft.target.startsWith('/') };
}

/** Each client secret costs a key derivation. */
const isCostly = ({ method, path, isPublic }: ApiOperation): boolean =>
  isPublic || path.endsWith('/export') || (method === 'POST' && path.startsWith('/oauth-clients/v1'));

/** Draws a request that its operation allows. */
export function drawDraft(operation: ApiOperation, authorization: string | null, source: Source): Draft {
  const { random } = source;
  const given = operation.parameters.filter(({ required }) => required || random(3) === 0);
  // Ids are known by the path of the operation.
  const drawn = (each: ApiParameter) =>
    String(drawJson(each.schema, source, each.in === 'path' ? operation.path : each.name));
  const encoded = (each: ApiParameter) => encodeURIComponent(drawn(each));
  const ofKind = (kind: ApiParameter['in']) => given.filter((each) => each.in === kind);
  const query = ofKind('query').map((each) => `${each.name}=${encoded(each)}`);
  let path = operation.path;
  for (const each of ofKind('path')) path = path.replace(`{${each.name}}`, () => encoded(each));
  const body = drawBody(operation, source);
  return {
    method: operation.method === 'GET' && random(20) === 0 ? 'HEAD' : operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [
      ['Host', 'x'],
      ...(authorization === null ? [] : [['Authorization', authorization] as const]),
      ...ofKind('header').map((each) => [each.name, latin(drawn(each))] as const),
      ...(body === null ? [] : [['Content-Type', body.mediaType] as const]),
    ],
    body: body?.text ?? null,
    bytesMax: operation.body?.bytesMax ?? FORM_BYTES_MAX,
    inChunks: false,
    isRaw: false,
  };
}

function drawBody({ id, body }: ApiOperation, source: Source) {
  if (body === null) return null;
  const { mediaType, schema } = body;
  const name = id in source.known ? id : source.random(4) === 0 ? '' : mediaType;
  const draw = () => drawJson(schema ?? {}, source, name);
  if (mediaType === 'application/x-www-form-urlencoded')
    return { mediaType, text: new URLSearchParams(Object.entries(Object(draw()))).toString() };
  const lines = mediaType === 'application/x-ndjson' ? source.random(5) : 1;
  return { mediaType, text: latin(Array.from({ length: lines }, () => JSON.stringify(draw())).join('\n')) };
}

/** The bytes of a request. */
export function bytesOf({ method, target, headers, body, inChunks }: Draft): Buffer {
  const head = `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
  if (body === null) return Buffer.from(`${head}\r\n`, 'latin1');
  if (!inChunks) return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, 'latin1');
  const chunks = [body.slice(0, body.length >> 1), body.slice(body.length >> 1)].filter((chunk) => chunk !== '');
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${framed}0\r\n\r\n`, 'latin1');
}
