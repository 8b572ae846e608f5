import type { ApiDocument, ApiOperation } from '../http/api-document.ts';
import type { Answer } from '../http/read-answer.ts';
import { isOfParser, parseJson, verifyRefusal } from '../http/verify-refusal.ts';
import type { Callers } from './callers.ts';
import type { DrawnRequest } from './draw-request.ts';

export interface VerifierDeps {
  readonly document: ApiDocument;
  readonly callers: Pick<Callers, 'canaries' | 'secrets' | 'own'>;
}

/** Returns the failures of an answer; empty for a valid one. */
export type VerifyExchange = (request: DrawnRequest, answer: Answer | null) => readonly string[];

/** Statuses that any operation may answer, listed or not. */
const ANYWHERE = new Set([400, 405, 414]);

/** Paths that show an identity what is its own, whatever its capabilities. */
const OF_ONESELF = new Set(['/my-violations/v1', '/sessions/v1', '/sessions/v1/{id}']);

export function createVerifier({ document, callers }: VerifierDeps): VerifyExchange {
  return (request, answer) => {
    if (answer === null) return ['no answer'];
    const leaks = leaksOf(request, answer, callers);
    if (isOfParser(answer)) return request.isRaw ? leaks : ['refused by the parser'];
    if (isOfPage(request, answer)) return leaks;
    const operation = document.find(request.method, request.target);
    const fault =
      answer.status < 300 ? verifySuccess(request, answer, operation) : verifyRefused(request, answer, operation);
    return fault === null ? leaks : [...leaks, fault];
  };

  function verifyRefused(
    { method, headers }: DrawnRequest,
    answer: Answer,
    operation: ApiOperation | null,
  ): string | null {
    const isHead = method === 'HEAD';
    const isToken = operation?.path === '/oauth/token';
    let fault = verifyRefusal(answer, { isHead, isToken });
    // Without a valid address a request never reaches the token endpoint.
    if (fault !== null && isToken && !isAddressed(headers)) fault = verifyRefusal(answer, { isHead, isToken: false });
    if (fault !== null) return `${answer.status} is invalid: ${fault}`;
    const isListed = operation === null || operation.hasDefault || operation.answers.has(answer.status);
    return isListed || ANYWHERE.has(answer.status) ? null : `${answer.status}, which the document does not list`;
  }

  function verifySuccess(
    { method, caller }: DrawnRequest,
    answer: Answer,
    operation: ApiOperation | null,
  ): string | null {
    if (!/^[0-9a-f]{32}$/.test(answer.headers.get('x-request-id') ?? '')) return 'a success without a tracking id';
    if (operation === null) return `${answer.status} where the document has no operation`;
    if (!operation.isPublic && !OF_ONESELF.has(operation.path) && caller.isPowerless)
      return `${answer.status} for ${caller.name}`;
    const content = operation.answers.get(answer.status);
    if (content === undefined) return `${answer.status}, which the document does not list`;
    if (content === null || method === 'HEAD') return null;
    // Texts carry parameters, such as their charset, that the document does not name.
    const isText = content.mediaType.startsWith('text/');
    const given = answer.headers.get('content-type') ?? '';
    if ((isText ? given.split(';')[0] : given) !== content.mediaType)
      return 'another Content-Type than the document says';
    if (isText) return null;
    if (content.mediaType === 'application/x-ndjson') return verifyLines(answer.body);
    const json = content.mediaType === 'application/jose' ? answer.body.toString() : parseJson(answer.body);
    const fault = json === undefined ? 'no JSON' : document.findFault(json, content.schema ?? {});
    return fault === null ? null : `${answer.status} against its schema: ${fault}`;
  }
}

/** Whether it is the answer of the page at `/`: a redirect to another page, or a refusal that is a page itself. */
const isOfPage = ({ target }: DrawnRequest, { status, headers }: Answer): boolean =>
  /^\/(?:\?|#|$)/.test(target) &&
  (status === 303 || (status === 405 && headers.get('content-type')?.startsWith('text/html') === true));

/** Whether the only Host header is the one that requests are drawn with. */
const isAddressed = (headers: DrawnRequest['headers']): boolean =>
  headers.filter(([name]) => name.toLowerCase() === 'host').join() === 'Host,x';

const verifyLines = (body: Buffer): string | null =>
  body
    .toString()
    .split('\n')
    .slice(0, -1)
    .every((line) => parseJson(Buffer.from(line)) !== undefined)
    ? null
    : 'a line that is no JSON';

/** Texts in an answer that must be hidden from its caller. */
function leaksOf(
  { caller }: DrawnRequest,
  { status, headers, body }: Answer,
  { canaries, secrets, own }: VerifierDeps['callers'],
): readonly string[] {
  const text = `${[...headers.values()].join('\n')}\n${body.toString()}`;
  const hidden = [...canaries.filter((canary) => canary !== caller.canary), ...secrets, ...(status < 300 ? [] : [own])];
  return hidden.some((each) => text.includes(each)) ? [`${status} leaks a canary`] : [];
}
