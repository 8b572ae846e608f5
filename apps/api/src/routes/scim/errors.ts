import type { Failure } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import { type ApiFailure, headersOf, refusalOf, statusOf } from '../../http/problem.ts';

export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The types of errors that SCIM knows, as far as this service answers them (RFC 7644, 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'tooMany';

/** A failure of a request of SCIM: one of the service, or a rule of the protocol that is broken. */
export type ScimFailure = ApiFailure | BrokenRule;

export interface BrokenRule {
  readonly type: 'BrokenRule';
  readonly scimType: ScimType;
  readonly detail: string;
}

export const brokenRule = (scimType: ScimType, detail: string): BrokenRule => ({
  type: 'BrokenRule',
  scimType,
  detail,
});

/** An error as SCIM tells it. */
export interface ScimError {
  readonly schemas: readonly string[];
  readonly status: string;
  readonly scimType?: ScimType;
  readonly detail: string;
}

export function scimError(failure: ScimFailure): ScimError {
  if (failure.type === 'BrokenRule') {
    const status = failure.scimType === 'tooMany' ? '413' : '400';
    return { schemas: [ERROR_SCHEMA], status, scimType: failure.scimType, detail: failure.detail };
  }
  const scimType = scimTypeOf(failure);
  return {
    schemas: [ERROR_SCHEMA],
    status: String(statusOf(failure)),
    ...(scimType === null ? {} : { scimType }),
    detail: detailOf(failure),
  };
}

const UNIQUE = ['userName', 'externalId'];

function scimTypeOf({ type, causes }: ApiFailure): ScimType | null {
  switch (type) {
    case 'MalformedBody':
      return 'invalidSyntax';
    case 'RequiredMissing':
    case 'LengthOutOfRange':
    case 'IllegalValue':
    case 'LimitExceeded':
    case 'ReferenceNotFound':
      return 'invalidValue';
    case 'IllegalUpdate':
      return 'mutability';
    case 'Conflict':
      return UNIQUE.includes(causes[0]?.at ?? '') ? 'uniqueness' : null;
    default:
      return null;
  }
}

const DETAILS: Partial<Readonly<Record<ApiFailure['type'], string>>> = {
  Unauthenticated: 'The request has no valid token.',
  NotFound: 'There is no such resource.',
  PreconditionFailed: 'The resource is not in the state that If-Match names.',
  MethodNotAllowed: 'The resource does not support this method.',
  Bug: 'An internal error occurred.',
};

/** The response to a bug tells nothing of it. */
function detailOf(failure: ApiFailure): string {
  const causes = failure.type === 'Bug' ? [] : failure.causes;
  const texts = causes.map(({ at, text }) => (at === '' ? text : `${at}: ${text}`));
  return texts.length > 0 ? texts.join(' ') : (DETAILS[failure.type] ?? failure.type);
}

export const SCIM_JSON = 'application/scim+json';

/** Answers a failure in the error shape of SCIM, and notes it for the log line. */
export function refuseScim(
  { env: { state } }: Pick<RequestContext, 'env'>,
  failure: ScimFailure,
  reason: string | null = null,
): Response {
  const noted: ApiFailure = failure.type === 'BrokenRule' ? asFailure(failure) : failure;
  state.refusal = refusalOf(noted, reason);
  const error = scimError(failure);
  return new Response(JSON.stringify(error), {
    status: Number(error.status),
    headers: { ...headersOf(noted), 'content-type': SCIM_JSON },
  });
}

const asFailure = ({ detail }: BrokenRule): Failure => ({ type: 'IllegalValue', causes: [{ at: '', text: detail }] });
