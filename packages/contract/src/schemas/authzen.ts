import {
  type AccessDecision,
  type AccessEntity,
  type AccessQuestion,
  DECISION_CODES,
  type DecisionContext,
  type Failure,
  isObject,
  type RequestedResource,
  type Result,
  SOD_POLICY_LEVELS,
} from '@access-admin/domain';
import * as v from 'valibot';
import { ACCESS_REFS_MAX, EVALUATIONS_MAX, SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX } from '../limits.ts';
import { chosen } from '../validation/chosen.ts';
import {
  closedObject,
  instantText,
  objectAlone,
  openObject,
  reference,
  toUtc,
  wholeNumber,
} from '../validation/fields.ts';
import { requestSchema, responsePart, responseSchema } from '../validation/named-schema.ts';
import { failsWith, illegal, validate } from '../validation/validate.ts';
import { accessRefsOf, basis, coveringException, remediation, timedAccessRef } from './predictions.ts';

const LIMIT = illegal(`must be a whole number from 1 to ${SEARCH_LIMIT_MAX}`);

const properties = v.exactOptional(openObject({}));
const accessRefs = v.pipe(
  accessRefsOf(timedAccessRef),
  v.minLength(1, failsWith('LengthOutOfRange', `must have 1 to ${ACCESS_REFS_MAX} access refs`)),
);

const subject = openObject({ type: reference, id: reference, properties });
const action = openObject({ name: reference, properties });

const shownResource = openObject({
  type: reference,
  id: reference,
  properties: v.exactOptional(openObject({ accessRefs: v.exactOptional(accessRefs) })),
});
const plainResource = openObject({ type: reference, id: reference, properties });
const accessRequest = openObject({
  type: v.literal('access_request'),
  id: reference,
  properties: openObject({ accessRefs }),
});
/** Only requests of access have `accessRefs`; in others it is an unknown property. */
const resource = v.pipe(
  chosen(shownResource, (input) => (Object(input).type === 'access_request' ? accessRequest : plainResource)),
  v.transform(
    ({ type, id, properties: given }): RequestedResource => ({
      type,
      id,
      accessRefs: type === 'access_request' ? (given?.accessRefs ?? []) : null,
    }),
  ),
);

/** A resource of another action than `request`, of which requests of access know none. */
const otherResource = v.pipe(
  plainResource,
  v.transform(({ type, id }): RequestedResource => ({ type, id, accessRefs: type === 'access_request' ? [] : null })),
);
const isOfRequest = (input: unknown): boolean => Object(Object(input).action).name === 'request';

const context = v.exactOptional(
  openObject({
    time: v.exactOptional(
      v.pipe(
        instantText,
        v.metadata({ description: 'The instant to judge, ISO 8601 with an offset; now without it.' }),
        v.transform(toUtc),
      ),
    ),
    fromLevel: v.exactOptional(
      v.pipe(
        v.picklist(SOD_POLICY_LEVELS),
        v.metadata({ description: 'Violations of policies with a lower level do not deny; `LOW` if left out.' }),
      ),
    ),
  }),
);

type Context = v.InferOutput<typeof context>;

const contextOf = (given: Context | undefined): DecisionContext => ({
  time: given?.time ?? null,
  fromLevel: given?.fromLevel ?? 'LOW',
});

const entityOf = ({ type, id }: AccessEntity): AccessEntity => ({ type, id });

const question = openObject({ subject, action, resource, context });
const otherQuestion = openObject({ subject, action, resource: otherResource, context });

/** Request of an evaluation. */
export const evaluationRequest = requestSchema(
  'AccessEvaluationRequest',
  v.pipe(
    chosen(question, (input) => (isOfRequest(input) ? question : otherQuestion)),
    v.transform(
      (given): AccessQuestion => ({
        subject: entityOf(given.subject),
        action: given.action.name,
        resource: given.resource,
        ...contextOf(given.context),
      }),
    ),
  ),
);

/** After which decision the evaluation of several ends. */
export const EVALUATIONS_SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type EvaluationsSemantic = (typeof EVALUATIONS_SEMANTICS)[number];

/** Questions of one request, or why one cannot be asked. */
export interface Evaluations {
  readonly items: readonly Result<AccessQuestion, Failure>[];
  readonly semantic: EvaluationsSemantic;
}

const anything = objectAlone(v.looseObject({}));
const optionalEntity = v.exactOptional(anything);

const several = v.pipe(
  openObject({
    subject: optionalEntity,
    action: optionalEntity,
    resource: optionalEntity,
    context: optionalEntity,
    evaluations: v.pipe(
      v.array(v.unknown()),
      v.maxLength(EVALUATIONS_MAX, failsWith('LimitExceeded', `must have at most ${EVALUATIONS_MAX} evaluations`)),
    ),
    options: v.exactOptional(openObject({ evaluations_semantic: v.exactOptional(v.picklist(EVALUATIONS_SEMANTICS)) })),
  }),
  v.transform(
    ({ evaluations, options, ...defaults }): Evaluations => ({
      items: evaluations.map((item) => validate(evaluationRequest, withDefaults(item, defaults))),
      semantic: options?.evaluations_semantic ?? 'execute_all',
    }),
  ),
);

type Loose = Readonly<Record<string, unknown>>;

const ENTITIES = ['subject', 'action', 'resource'] as const;
const IDENTIFYING = ['type', 'id', 'name'] as const;

/** An item with what it leaves out: whole entities and the context, and of an entity that it has what identifies it. */
function withDefaults(item: unknown, defaults: { readonly [name: string]: Loose | undefined }): unknown {
  if (!isObject(item)) return item;
  const merged: Record<string, unknown> = { ...defaults, ...item };
  for (const name of ENTITIES) {
    const entity = item[name];
    const byDefault = defaults[name];
    if (!isObject(entity) || byDefault === undefined) continue;
    const identifying = IDENTIFYING.filter((each) => Object.hasOwn(byDefault, each));
    merged[name] = { ...Object.fromEntries(identifying.map((each) => [each, byDefault[each]])), ...entity };
  }
  return merged;
}

/** Request of several evaluations, as documents describe it: what `evaluations` leave out is that of the whole request. */
export const evaluationsRequest = requestSchema(
  'AccessEvaluationsRequest',
  v.pipe(
    v.object({
      subject: v.exactOptional(subject),
      action: v.exactOptional(action),
      resource: v.exactOptional(resource),
      context,
      evaluations: v.exactOptional(
        v.pipe(
          v.array(
            v.object({
              subject: v.exactOptional(subject),
              action: v.exactOptional(action),
              resource: v.exactOptional(resource),
              context,
            }),
          ),
          v.maxLength(EVALUATIONS_MAX),
        ),
      ),
      options: v.exactOptional(v.object({ evaluations_semantic: v.exactOptional(v.picklist(EVALUATIONS_SEMANTICS)) })),
    }),
    v.check(
      ({ evaluations, subject: of }) => evaluations !== undefined || of !== undefined,
      failsWith('RequiredMissing', 'needs evaluations, or a subject, an action and a resource'),
    ),
  ),
);

/** Validates a request of several evaluations. Without any it is one evaluation. */
export function parseEvaluations(value: unknown): Result<AccessQuestion | Evaluations, Failure> {
  const { evaluations }: { readonly evaluations?: unknown } = Object(value);
  const isOne = evaluations === undefined || (Array.isArray(evaluations) && evaluations.length === 0);
  return isOne ? validate(evaluationRequest, value) : validate(several, value);
}

const page = v.exactOptional(
  openObject({
    token: v.exactOptional(v.string()),
    limit: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(LIMIT),
        v.minValue(1, LIMIT),
        v.maxValue(SEARCH_LIMIT_MAX, LIMIT),
        v.metadata({ description: `${SEARCH_LIMIT_DEFAULT} if left out.` }),
      ),
    ),
  }),
);

/** A page of a search as it is asked for: the first one without a token. */
export interface SearchPage {
  readonly token: string | null;
  readonly limit: number | null;
}

const pageOf = (given: v.InferOutput<typeof page> | undefined): SearchPage => ({
  // An empty token is that of no further page, which clients may send back.
  token: given?.token || null,
  limit: given?.limit ?? null,
});

const sought = { subject: openObject({ type: reference, properties }), action, context, page };
const subjectQuestion = openObject({ ...sought, resource });
const otherSubjectQuestion = openObject({ ...sought, resource: otherResource });

/** Request of a search for subjects. */
export const subjectSearch = requestSchema(
  'SubjectSearchRequest',
  v.pipe(
    chosen(subjectQuestion, (input) => (isOfRequest(input) ? subjectQuestion : otherSubjectQuestion)),
    v.transform((given) => ({
      subjectType: given.subject.type,
      action: given.action.name,
      resource: given.resource,
      ...contextOf(given.context),
      page: pageOf(given.page),
    })),
  ),
);
/** A search for subjects. */
export type SubjectSearch = v.InferOutput<typeof subjectSearch>;

/** Request of a search for resources. */
export const resourceSearch = requestSchema(
  'ResourceSearchRequest',
  v.pipe(
    openObject({ subject, action, resource: openObject({ type: reference, properties }), context, page }),
    v.transform((given) => ({
      subject: entityOf(given.subject),
      action: given.action.name,
      resourceType: given.resource.type,
      ...contextOf(given.context),
      page: pageOf(given.page),
    })),
  ),
);
/** A search for resources. */
export type ResourceSearch = v.InferOutput<typeof resourceSearch>;

/** Request of a search for actions. */
export const actionSearch = requestSchema(
  'ActionSearchRequest',
  v.pipe(
    openObject({ subject, resource, context, page }),
    v.transform((given) => ({
      subject: entityOf(given.subject),
      resource: given.resource,
      ...contextOf(given.context),
      page: pageOf(given.page),
    })),
  ),
);
/** A search for actions. */
export type ActionSearch = v.InferOutput<typeof actionSearch>;

const decided = closedObject({
  policy: closedObject({ id: v.string(), name: v.string(), level: v.picklist(SOD_POLICY_LEVELS) }),
  preexisting: v.boolean(),
  exception: v.nullable(coveringException),
});
const decisionEntries = {
  decision: v.boolean(),
  context: closedObject({
    reason: closedObject({ code: v.picklist(DECISION_CODES), text: v.string() }),
    policySetVersion: v.exactOptional(basis.policySetVersion),
    asOf: v.exactOptional(basis.asOf),
    violations: v.exactOptional(v.array(decided)),
    violationCount: v.exactOptional(wholeNumber),
    remediation: v.exactOptional(remediation),
  }),
};
const shownDecision = responsePart('AccessDecision', closedObject(decisionEntries));

/** Response of an evaluation. */
export const accessDecision = responseSchema<AccessDecision>()(shownDecision);

/** Decisions on several questions: of the first ones, where one of them ends the evaluation. */
export interface Decisions {
  readonly evaluations: readonly AccessDecision[];
}

/** Response of several evaluations. */
export const accessDecisions = responseSchema<Decisions>('AccessDecisions')(
  closedObject({ evaluations: v.array(shownDecision) }),
);

/** A page of what a search has found. */
export interface FoundPage<T> {
  readonly page: {
    /** Of the next page; empty where there is none. */
    readonly next_token: string;
    /** The number of results of this page. */
    readonly count: number;
  };
  readonly results: readonly T[];
}

const pageEntry = closedObject({ next_token: v.string(), count: wholeNumber });

/** Response of a search for subjects or resources. */
export const foundEntities = responseSchema<FoundPage<AccessEntity>>('FoundEntities')(
  closedObject({ page: pageEntry, results: v.array(closedObject({ type: v.string(), id: v.string() })) }),
);

/** An action by its name. */
export interface FoundAction {
  readonly name: string;
}

/** Response of a search for actions. */
export const foundActions = responseSchema<FoundPage<FoundAction>>('FoundActions')(
  closedObject({ page: pageEntry, results: v.array(closedObject({ name: v.string() })) }),
);
