import type { NewSodException, SodException } from '@access-admin/contract';
import { jsonBody } from '../http/json-body.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../http/list.ts';
import { getResource, ifMatchHeader, type WriteOptions } from '../http/resource.ts';
import { createResourceCall, type ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';

/** Filters of the list of exceptions. */
export interface SodExceptionListOptions extends CallOptions {
  /** Such as `state eq "APPROVED" and end le "2027-01-01T00:00:00Z"`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
}

/** Options of decisions on exceptions. */
export interface DecisionOptions extends WriteOptions {
  /** Kept with the decision; 1 to 1,000 characters. */
  readonly comment?: string;
}

/**
 * Exceptions from SOD policies, for clients that act as an identity with `POLICY_ADMIN` or `ORG_ADMIN`. States are as
 * of the response.
 */
export interface SodExceptions {
  /** Iterates over all exceptions that meet the filters, a page at a time (list-sod-exceptions-v1). */
  list(options?: SodExceptionListOptions): AsyncIterable<SodException>;
  /** Reads one page of the list. */
  page(options?: SodExceptionListOptions & PageOptions): Promise<Page<SodException>>;
  /**
   * Requests an exception (create-sod-exception-v1) of at most 366 days for another identity than the caller. Rejects with a
   * `ConflictError` if the policy and the identity already have a requested or approved one. `start` and `end` are in ISO 8601
   * with an offset. Not repeated after an unknown outcome.
   */
  create(exception: NewSodException, options?: CallOptions): ResourceCall<SodException>;
  /** Reads an exception by its id (get-sod-exception-v1). */
  get(id: string, options?: CallOptions): ResourceCall<SodException>;
  /**
   * Approves an exception that another identity has requested, not for the caller (approve-sod-exception-v1). An approval is
   * of its `terms`: with `ifMatch`, the ETag of what was read, it rejects with a `PreconditionFailedError` if they have changed
   * since. Without, it rejects with a `PreconditionRequiredError` if they have changed since the request was made. Rejects with
   * a `ConflictError` if the identity does not violate the policy, and with a `ForbiddenError` also if one person may act both
   * as the approver and as the requester or the identity. Not repeated after an unknown outcome.
   *
   * @example
   * const { value, etag } = await admin.sodExceptions.get(id).withETag();
   * if (isAcceptable(value.terms)) await admin.sodExceptions.approve(id, { ifMatch: etag, comment: 'Until the year is closed.' });
   */
  approve(id: string, options?: DecisionOptions): ResourceCall<SodException>;
  /** Revokes an approved exception, or refuses a requested one (revoke-sod-exception-v1). Not repeated after an unknown outcome. */
  revoke(id: string, options?: DecisionOptions): ResourceCall<SodException>;
}

/** Builds the operations on exceptions from SOD policies. */
export function createSodExceptions(transport: Transport): SodExceptions {
  const group = '/sod-exceptions/v1';
  const page: SodExceptions['page'] = (options) =>
    readPage(transport, { path: group, query: { filters: options?.filters } }, options);
  const move = (id: string, what: 'approve' | 'revoke', options: DecisionOptions | undefined) => {
    const send = async () =>
      transport.call<SodException>({
        method: 'POST',
        path: `${resourcePath(group, id)}/${what}`,
        headers: ifMatchHeader(options),
        body: jsonBody({ comment: options?.comment }),
        options,
      });
    return createResourceCall(send());
  };
  return {
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    create: (exception, options) =>
      createResourceCall(
        transport.call<SodException>({
          method: 'POST',
          path: group,
          body: jsonBody(exception),
          options,
        }),
      ),
    get: (id, options) => getResource(transport, { group, id, experimental: false }, options),
    approve: (id, options) => move(id, 'approve', options),
    revoke: (id, options) => move(id, 'revoke', options),
  };
}
