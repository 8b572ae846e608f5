import { SMALL_BODY_BYTES_MAX } from '@access-admin/contract';
import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import type { ApiFailure } from '../../http/problem.ts';
import { readBody } from '../../http/read-body.ts';

/** The fields of a form, each given once; a field that is left out is empty. */
export type Form = (name: string) => string;

const MALFORMED = fail<Failure>(
  failure('MalformedBody', '', 'The form cannot be read: send each field once, as text in UTF-8.'),
);
const NOT_A_FORM = fail<ApiFailure>({
  type: 'UnsupportedMediaType',
  causes: [{ at: '', text: 'The body must be application/x-www-form-urlencoded, without a Content-Encoding.' }],
  acceptPatch: false,
});

/** Reads the form of a request; a request without a body has one without fields. */
export async function readForm(c: RequestContext): Promise<Result<Form, ApiFailure>> {
  if (c.req.header('content-encoding') !== undefined) return NOT_A_FORM;
  const body = await readBody(c, { bytesMax: SMALL_BODY_BYTES_MAX });
  if (!body.ok) return body;
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '');
  if (!isForm && body.value.byteLength > 0) return NOT_A_FORM;
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(body.value).toString('utf8'))) {
    // PostgreSQL stores no NUL; the decoder writes U+FFFD for bytes that are no UTF-8.
    if (fields.has(name) || value.includes('\0') || value.includes('\ufffd')) return MALFORMED;
    fields.set(name, value);
  }
  return ok((name) => fields.get(name) ?? '');
}
