import { hash } from 'node:crypto';
import { approvedTermsOf, type SodPolicy, type SodPolicyLevel, type SodPolicyState } from '@access-admin/domain';
import type { SodPolicyRow } from '../../schema/tables.ts';

/**
 * The digest of the terms that an exception from a policy is approved for. The time of creation tells the policy from a later one
 * with the same id.
 */
export const digestOfTerms = (policy: SodPolicy): string =>
  hash('sha256', `${policy.created} ${approvedTermsOf(policy)}`);

export const sodPolicyToRow = (tenant: string, policy: SodPolicy): SodPolicyRow => ({
  tenant,
  id: policy.id,
  name: policy.name,
  description: policy.description,
  state: policy.state,
  level: policy.level,
  type: policy.type,
  criteria: JSON.stringify(policy.conflictingAccessCriteria),
  terms: digestOfTerms(policy),
  external_policy_reference: policy.externalPolicyReference,
  compensating_controls: policy.compensatingControls,
  correction_advice: policy.correctionAdvice,
  tags: JSON.stringify(policy.tags),
  owner_id: policy.ownerRef?.id ?? null,
  attributes: JSON.stringify(policy.attributes),
  external_id: policy.externalId,
  scheduled: Number(policy.scheduled),
  owner_assignment: jsonOrNull(policy.violationOwnerAssignmentConfig),
  secondary_owner_refs: jsonOrNull(policy.secondaryOwnerRefs),
  allowed_controls: jsonOrNull(policy.allowedControls),
  creator_id: policy.creatorId,
  modifier_id: policy.modifierId,
  created: policy.created,
  modified: policy.modified,
});

/** The state of a policy from its column. */
export const columnToPolicyState = (state: string): SodPolicyState => state as SodPolicyState;

/** The level of a policy from its column. */
export const columnToPolicyLevel = (level: string): SodPolicyLevel => level as SodPolicyLevel;

export const rowToSodPolicy = (row: SodPolicyRow): SodPolicy => ({
  id: row.id,
  name: row.name,
  description: row.description,
  state: columnToPolicyState(row.state),
  level: columnToPolicyLevel(row.level),
  type: row.type as SodPolicy['type'],
  conflictingAccessCriteria: JSON.parse(row.criteria),
  externalPolicyReference: row.external_policy_reference,
  compensatingControls: row.compensating_controls,
  correctionAdvice: row.correction_advice,
  tags: JSON.parse(row.tags),
  ownerRef: row.owner_id === null ? null : { type: 'IDENTITY', id: row.owner_id, name: null },
  attributes: JSON.parse(row.attributes),
  externalId: row.external_id,
  scheduled: row.scheduled === 1,
  violationOwnerAssignmentConfig: parsedOrNull(row.owner_assignment),
  secondaryOwnerRefs: parsedOrNull(row.secondary_owner_refs),
  allowedControls: parsedOrNull(row.allowed_controls),
  creatorId: row.creator_id,
  modifierId: row.modifier_id,
  created: row.created,
  modified: row.modified,
});

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

const parsedOrNull = (text: string | null) => (text === null ? null : JSON.parse(text));
