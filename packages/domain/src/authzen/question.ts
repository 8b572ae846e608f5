import { isResourceType } from '../access/model/grants.ts';
import { type AccessRef, type AccessType, type TimedAccessRef, textOfMissing } from '../access/model/records.ts';
import { type Capability, isCapability } from '../administration/capability.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import type { SodPolicyLevel } from '../policies/model.ts';
import { entitlementsOf, type SodCatalogue } from '../sod/index.ts';

/** The types of subjects: identities by id, and by `uid`. */
export const SUBJECT_TYPES = ['identity', 'user'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** A subject or a resource. Type and id may be unknown. */
export interface AccessEntity {
  readonly type: string;
  readonly id: string;
}

/** A resource. Requests of access name what is requested. */
export interface RequestedResource extends AccessEntity {
  /** Null where the type is not `access_request`. */
  readonly accessRefs: readonly TimedAccessRef[] | null;
}

/** When and how strictly access is judged. */
export interface DecisionContext {
  /** The only instant that counts, in ISO 8601; null for now, and for requests every instant from now on. */
  readonly time: string | null;
  /** Violations of policies with a lower level do not deny. */
  readonly fromLevel: SodPolicyLevel;
}

/** May the subject do this with the resource? */
export interface AccessQuestion extends DecisionContext {
  readonly subject: AccessEntity;
  readonly action: string;
  readonly resource: RequestedResource;
}

/** Why a decision is as it is. */
export const DECISION_CODES = [
  'OK',
  'COVERED',
  'SOD_VIOLATION',
  'NOT_HELD',
  'SUBJECT_NOT_FOUND',
  'RESOURCE_NOT_FOUND',
  'NOT_KNOWN',
  'INVALID',
] as const;
export type DecisionCode = (typeof DECISION_CODES)[number];

/** A reason as answers show it. */
export interface DecisionReason {
  readonly code: DecisionCode;
  readonly text: string;
}

/** What an action on a resource means. */
export type AccessTarget =
  | { readonly kind: 'request'; readonly accessRefs: readonly TimedAccessRef[] }
  | { readonly kind: 'hold'; readonly ref: AccessRef }
  | { readonly kind: 'use'; readonly capability: Capability }
  /** Entitlements by their numbers, each of which is enough. */
  | { readonly kind: 'grant'; readonly entitlements: readonly number[] };

/** The access that resources stand for. */
export const ACCESS_TYPE_OF = {
  entitlement: 'ENTITLEMENT',
  role: 'ROLE',
  access_profile: 'ACCESS_PROFILE',
} as const satisfies Readonly<Record<string, AccessType>>;
type AccessResource = keyof typeof ACCESS_TYPE_OF;

/** Whether resources of a type are items of the catalogue. */
export const isAccessResource = (type: string): type is AccessResource => Object.hasOwn(ACCESS_TYPE_OF, type);

/** The actions on resources of a type; null for a type that is not known. */
export function actionsOn({ grants }: Pick<SodCatalogue, 'grants'>, type: string): ReadonlySet<string> | null {
  if (isAccessResource(type)) return REQUEST_AND_HOLD;
  if (isResourceType(type)) return type === 'capability' ? USE : REQUEST;
  return grants.actions.get(type) ?? null;
}

const REQUEST_AND_HOLD = new Set(['hold', 'request']);
const REQUEST = new Set(['request']);
const USE = new Set(['use']);

/** The reasons for decisions that are no matter of access. */
const UNKNOWN = {
  subjectType: { code: 'NOT_KNOWN', text: 'There are no subjects of this type.' },
  resourceType: { code: 'NOT_KNOWN', text: 'There are no resources of this type.' },
  action: { code: 'NOT_KNOWN', text: 'Resources of this type know no such action.' },
} as const satisfies Readonly<Record<string, DecisionReason>>;
/** The reason for decisions on a subject that does not exist. */
export const NO_SUBJECT: DecisionReason = { code: 'SUBJECT_NOT_FOUND', text: 'There is no such subject.' };
const NO_RESOURCE: DecisionReason = { code: 'RESOURCE_NOT_FOUND', text: 'There is no such resource.' };

/** Whether subjects of a type are known. */
export const isSubjectType = (type: string): type is SubjectType => SUBJECT_TYPES.some((each) => each === type);

/** Finds out what a question means. Fails with the reason why it cannot be answered otherwise. */
export function accessTargetOf(
  catalogue: SodCatalogue,
  {
    subject,
    action,
    resource,
  }: Pick<AccessQuestion, 'action' | 'resource'> & { readonly subject: Pick<AccessEntity, 'type'> },
): Result<AccessTarget, DecisionReason> {
  if (!isSubjectType(subject.type)) return fail(UNKNOWN.subjectType);
  const { type, id, accessRefs } = resource;
  const actions = actionsOn(catalogue, type);
  if (actions === null) return fail(UNKNOWN.resourceType);
  if (!actions.has(action)) return fail(UNKNOWN.action);
  if (type === 'access_request') return requestOf(catalogue, accessRefs ?? []);
  if (type === 'capability') return isCapability(id) ? ok({ kind: 'use', capability: id }) : fail(NO_RESOURCE);
  if (isAccessResource(type)) {
    const ref = { type: ACCESS_TYPE_OF[type], id };
    if (entitlementsOf(catalogue, ref) === undefined) return fail(NO_RESOURCE);
    return ok(action === 'hold' ? { kind: 'hold', ref } : { kind: 'request', accessRefs: [ref] });
  }
  const granted = catalogue.grants.entitlements.get(type)?.get(id);
  return granted === undefined ? fail(NO_RESOURCE) : ok({ kind: 'grant', entitlements: granted.get(action) ?? [] });
}

function requestOf(
  catalogue: SodCatalogue,
  accessRefs: readonly TimedAccessRef[],
): Result<AccessTarget, DecisionReason> {
  const at = accessRefs.findIndex((ref) => entitlementsOf(catalogue, ref) === undefined);
  const missing = accessRefs[at];
  if (missing === undefined) return ok({ kind: 'request', accessRefs });
  const text = `accessRefs[${at}]: ${textOfMissing(missing.type, missing.id)}`;
  return fail({ code: 'RESOURCE_NOT_FOUND', text });
}
