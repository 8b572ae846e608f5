import type { AuditEvent, PolicyFinding, ShownSodPolicy as SodPolicy, sodPolicyPatch } from '@access-admin/contract';
import type { PatchOf } from '../http/json-patch.ts';
import { iterateItems, type Page, type PageOptions, readPage } from '../http/list.ts';
import { createRecords } from '../http/records.ts';
import type { WriteOptions } from '../http/resource.ts';
import type { ResourceCall } from '../http/resource-call.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';
import type { SodPolicyInput } from './access-model-record.ts';

/** Filters and order of the list of policies. */
export interface SodPolicyListOptions extends CallOptions {
  /** Such as `state eq "ENFORCED" and name sw "Vendor"`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
  /** Such as `level,-modified`: some of `id`, `name`, `description`, `ownerRef.name`, `created` and `modified`; by id if left out. */
  readonly sorters?: string | undefined;
}

/** A policy to create. Without an id the service generates one. */
export type NewSodPolicy = Omit<SodPolicyInput, 'id'> & { readonly id?: string };

/**
 * The SOD policies of the tenant. Items show the current names of entitlements, and `deleted` if the entitlement no
 * longer exists.
 */
export interface SodPolicies {
  /** Iterates over all policies that meet the filters, a page at a time (list-sod-policies-v1). */
  list(options?: SodPolicyListOptions): AsyncIterable<SodPolicy>;
  /** Reads one page of the list. */
  page(options?: SodPolicyListOptions & PageOptions): Promise<Page<SodPolicy>>;
  /**
   * Creates a policy (create-sod-policy-v1). Repeated after an unknown outcome only if it has an id; a `ConflictError`
   * can then mean that the first attempt took effect.
   */
  create(policy: NewSodPolicy, options?: CallOptions): ResourceCall<SodPolicy>;
  /** Reads a policy by its id (get-sod-policy-v1). */
  get(id: string, options?: CallOptions): ResourceCall<SodPolicy>;
  /** Replaces a policy (put-sod-policy-v1); properties that are left out get their default; the level stays. */
  replace(id: string, policy: NewSodPolicy, options?: WriteOptions): ResourceCall<SodPolicy>;
  /**
   * Changes all but `id`, `type` and what the service says of it, all operations or none (patch-sod-policy-v1). After an
   * unknown outcome it is repeated only with `ifMatch`.
   */
  patch(id: string, operations: PatchOf<typeof sodPolicyPatch>, options?: WriteOptions): ResourceCall<SodPolicy>;
  /** Deletes a policy (delete-sod-policy-v1). */
  delete(id: string, options?: WriteOptions): Promise<void>;
  /** Reads the findings of lint on the policies, sorted by code, policy id and ref id (lint-sod-policies-v1). */
  lint(options?: CallOptions): Promise<readonly PolicyFinding[]>;
  /** Iterates over the audit events of a policy by sequence, also after it is deleted (get-sod-policy-history-v1). */
  history(id: string, options?: CallOptions): AsyncIterable<AuditEvent>;
  /** Reads one page of the history. */
  historyPage(id: string, options?: PageOptions): Promise<Page<AuditEvent>>;
}

/** Builds the operations on SOD policies. */
export function createSodPolicies(transport: Transport): SodPolicies {
  const group = '/sod-policies/v1';
  const page: SodPolicies['page'] = (options) =>
    readPage(transport, { path: group, query: { filters: options?.filters, sorters: options?.sorters } }, options);
  const historyPage: SodPolicies['historyPage'] = async (id, options) =>
    readPage(transport, { path: `${resourcePath(group, id)}/history` }, options);
  return {
    ...createRecords<SodPolicy, NewSodPolicy>(transport, group),
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    history: (id, options) => iterateItems((part) => historyPage(id, { ...options, ...part })),
    historyPage,
    async lint(options) {
      return (await transport.call<PolicyFinding[]>({ method: 'GET', path: `${group}/lint`, options })).value;
    },
  };
}
