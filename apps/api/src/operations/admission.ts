import type { Operation } from '@access-admin/contract';
import {
  authorize,
  type Caller,
  type Failure,
  fail,
  failure,
  isResourceId,
  type OperationId,
  type Result,
} from '@access-admin/domain';
import type { Authenticate } from '../auth/authenticate.ts';
import { chain, type MaybePromise, OK } from '../event-loop/maybe-promise.ts';
import type { Exchange } from '../http/exchange.ts';
import { createCheckDryRun } from './dry-run-effect.ts';
import type { LimitRate } from './limit-rate.ts';
import type { ApiFailure } from './problem.ts';
import type { Gate, OperationHandler, OperationResult } from './request.ts';
import { createWithBody, type Incoming, type TakeBodyDeps } from './take-body.ts';

export interface AdmissionDeps extends TakeBodyDeps {
  readonly authenticate: Authenticate;
  /** Whether a session's request that changes something comes from a page of another origin. */
  readonly isCrossSite: (exchange: Exchange, caller: Caller) => boolean;
  /** Null when limiting is off. */
  readonly limitRate: LimitRate | null;
  /** Of the operations whose work needs a place. */
  readonly gates: Partial<Readonly<Record<OperationId, Gate>>>;
  /** The identity that owns the target of a request, of the operations that an owner needs no capability for. */
  readonly owners: Partial<Readonly<Record<OperationId, FindOwner>>>;
}

/** The owner of a resource; null without one. */
export type FindOwner = (tenant: string, id: string) => Promise<string | null>;

/** Checks a request and passes it to its handler. */
export type Admit = (incoming: Incoming) => MaybePromise<Result<OperationResult, ApiFailure>>;

/**
 * The checks that every request passes, in the order that callers are promised: token (401), rate (429), rights (403),
 * experimental header, media type (415), size (413), body. The handler decides on 404, 409 and 412.
 */
export function createAdmission(
  operation: Operation,
  handler: OperationHandler,
  { authenticate, isCrossSite, limitRate, gates, owners, ...deps }: AdmissionDeps,
): Admit {
  const withBody = createWithBody(operation.body, { ...deps, gate: gates[operation.id] ?? null });
  const authorizeOn = createAuthorizeOn(operation.id, owners[operation.id]);
  const checkDryRun = createCheckDryRun(operation);
  return (incoming) => {
    const { exchange, state } = incoming;
    return chain(authenticate(exchange), (caller) => {
      state.caller = caller;
      const limited = limitRate?.(caller) ?? OK;
      if (!limited.ok) return limited;
      if (isCrossSite(exchange, caller)) return fail(CROSS_SITE);
      const { params } = exchange;
      return chain(authorizeOn(caller, params), () => {
        const hasForeignHeader = operation.experimental && exchange.header('x-sailpoint-experimental') === 'true';
        if (operation.experimental && !hasForeignHeader && exchange.header('x-service-experimental') !== 'true')
          return fail(NOT_DECLARED);
        const { trackingId } = state;
        const { keptBody } = incoming;
        return withBody(incoming, caller.tenant, (body, placed) => {
          const checked = checkDryRun(exchange);
          if (!checked.ok) return checked;
          // A text that is not an id names no resource.
          return Object.values(params).every(isResourceId)
            ? handler({ operation, trackingId, caller, params, body, placed, keptBody, hasForeignHeader, exchange })
            : fail(NO_RESOURCE);
        });
      });
    });
  };
}

/** Authorizes a caller for a request, also as the owner of its target. Only a caller without other rights costs a look-up. */
const createAuthorizeOn =
  (id: OperationId, findOwner: FindOwner | undefined) =>
  (caller: Caller, { id: target = '' }: Readonly<Record<string, string>>): MaybePromise<Result<null, ApiFailure>> => {
    if (findOwner === undefined) return authorize(id, caller, target);
    const authorized = authorize(id, caller);
    if (authorized.ok || caller.identityId === null || !isResourceId(target)) return authorized;
    return findOwner(caller.tenant, target).then((owner) => authorize(id, caller, owner ?? undefined));
  };

const NOT_DECLARED: Failure = failure(
  'RequiredMissing',
  'X-Service-Experimental',
  'must be true, because this operation is experimental: send the header X-Service-Experimental: true',
);
const CROSS_SITE: Failure = failure(
  'Forbidden',
  'Origin',
  'must be the address of the service, because the request is of a session: only its own pages may change something',
);
const NO_RESOURCE: Failure = failure('NotFound', '', 'There is no such resource.');
