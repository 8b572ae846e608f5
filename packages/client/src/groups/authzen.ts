import type {
  AccessDecision,
  AccessEntity,
  Decisions,
  EvaluationsSemantic,
  FoundAction,
  FoundPage,
} from '@access-admin/contract';
import { jsonBody } from '../http/json-body.ts';
import type { CallOptions, Transport } from '../http/transport.ts';

/** Requested access, with its window where it has one. */
export interface RequestedRef {
  readonly type: 'ENTITLEMENT' | 'ACCESS_PROFILE' | 'ROLE';
  readonly id: string;
  readonly start?: string | null;
  readonly end?: string | null;
}

/** A resource. One of type `access_request` names the access that is requested as `accessRefs` of its `properties`. */
export interface ResourceEntity extends AccessEntity {
  readonly properties?: { readonly accessRefs?: readonly RequestedRef[] } & Readonly<Record<string, unknown>>;
}

/** When and how strictly access is judged. */
export interface EvaluationContext {
  /** The only instant that counts, ISO 8601 with an offset. */
  readonly time?: string;
  /** Violations of policies with a lower level do not deny: `LOW` if left out. */
  readonly fromLevel?: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
}

/** A question: may the subject do this with the resource? */
export interface Evaluation {
  readonly subject: AccessEntity;
  readonly action: FoundAction;
  readonly resource: ResourceEntity;
  readonly context?: EvaluationContext;
}

/** Questions, each with what it leaves out of the whole request. */
export interface EvaluationsRequest extends Partial<Evaluation> {
  readonly evaluations: readonly Partial<Evaluation>[];
  readonly options?: { readonly evaluations_semantic?: EvaluationsSemantic };
}

/** A search for the subjects of a type. */
export interface SubjectQuestion extends Omit<Evaluation, 'subject'> {
  readonly subject: Pick<AccessEntity, 'type'>;
}

/** A search for the resources of a type. */
export interface ResourceQuestion extends Omit<Evaluation, 'resource'> {
  readonly resource: Pick<AccessEntity, 'type'>;
}

/** A search for actions. */
export type ActionQuestion = Omit<Evaluation, 'action'>;

/** Options of a search. */
export interface SearchOptions extends CallOptions {
  /** The most results of one page: 100 if left out, 1,000 at most. */
  readonly limit?: number | undefined;
}

/** Decisions and searches of the AuthZEN Authorization API 1.0. */
export interface Authzen {
  /** Decides on a question (evaluate-access-v1). */
  evaluate(question: Evaluation, options?: CallOptions): Promise<AccessDecision>;
  /** Decides on up to 1,000 questions, in their order (evaluate-accesses-v1). */
  evaluateMany(request: EvaluationsRequest, options?: CallOptions): Promise<Decisions>;
  /** Iterates over the subjects whose evaluation is true, a page at a time (search-access-subjects-v1). */
  searchSubjects(question: SubjectQuestion, options?: SearchOptions): AsyncIterable<AccessEntity>;
  /** Iterates over the resources for which a decision would be true, a page at a time (search-access-resources-v1). */
  searchResources(question: ResourceQuestion, options?: SearchOptions): AsyncIterable<AccessEntity>;
  /** Iterates over the actions for which a decision would be true, a page at a time (search-access-actions-v1). */
  searchActions(question: ActionQuestion, options?: SearchOptions): AsyncIterable<FoundAction>;
}

/** Builds the decisions and searches. */
export function createAuthzen(transport: Transport): Authzen {
  const post =
    <B extends object, T>(path: string) =>
    async (body: B, options?: CallOptions): Promise<T> => {
      const request = { path: `/access/v1/${path}`, body: jsonBody(body), repeatable: true, options };
      return (await transport.call<T>({ method: 'POST', ...request })).value;
    };
  const search = <Q extends object, T>(path: string) => {
    const read = post<object, FoundPage<T>>(`search/${path}`);
    return async function* (question: Q, { limit, ...options }: SearchOptions = {}): AsyncGenerator<T> {
      let token: string | undefined;
      do {
        const { page, results } = await read({ ...question, page: { limit, token } }, options);
        yield* results;
        token = page.next_token;
      } while (token !== '');
    };
  };
  return {
    evaluate: post('evaluation'),
    evaluateMany: post('evaluations'),
    searchSubjects: search('subject'),
    searchResources: search('resource'),
    searchActions: search('action'),
  };
}
