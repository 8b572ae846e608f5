import {
  CAPABILITIES,
  type Capability,
  EVENT_TYPE_NAMES,
  type ImportCounts,
  type RecordKind,
} from '@access-admin/domain';
import * as v from 'valibot';
import { wireTypeOf } from '../events/cloud-event.ts';
import { closedObject, timestamp, wholeNumber } from '../validation/fields.ts';
import { responseSchema } from '../validation/named-schema.ts';
import { recordCounts } from './access-model.ts';

/** An event: a CloudEvent 1.0. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  /** The base address of the tenant. */
  readonly source: string;
  /** Such as `org.access-admin.sod.check.completed.v1`. */
  readonly type: string;
  /** The path of the resource. */
  readonly subject: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** The address of the schema of `data`. */
  readonly dataschema: string;
  /** Twenty decimal digits: ascends without gaps within a tenant, in the order of commits. */
  readonly sequence: string;
  /** The resource as its GET showed it then; only `{type, id}` where that has more than 256 KiB. */
  readonly data: unknown;
}

const event = closedObject({
  specversion: v.literal('1.0'),
  id: v.pipe(v.string(), v.uuid()),
  source: v.string(),
  type: v.pipe(v.string(), v.metadata({ examples: EVENT_TYPE_NAMES.map(wireTypeOf) })),
  subject: v.string(),
  time: timestamp,
  datacontenttype: v.literal('application/json'),
  dataschema: v.string(),
  sequence: v.pipe(v.string(), v.regex(/^\d{20}$/)),
  data: v.unknown(),
});

/** One event. */
export const cloudEvent = responseSchema<CloudEvent>('Event')(event);

/** Response of the read of events. */
export const events = responseSchema<readonly CloudEvent[]>()(v.array(event));

/** The data of an event whose resource is too large. */
export interface EventReference {
  readonly type: string;
  readonly id: string;
}

/** The reference in place of a resource that is too large. */
export const eventReference = responseSchema<EventReference>('EventReference')(
  closedObject({ type: v.string(), id: v.string() }),
);

/** The data of `auth-user.capabilities-changed`. */
export interface CapabilitiesChange {
  readonly id: string;
  readonly displayName: string | null;
  readonly before: readonly Capability[];
  readonly after: readonly Capability[];
}

const capabilities = v.array(v.picklist(CAPABILITIES));

/** Data of `auth-user.capabilities-changed`. */
export const capabilitiesChange = responseSchema<CapabilitiesChange>('CapabilitiesChange')(
  closedObject({ id: v.string(), displayName: v.nullable(v.string()), before: capabilities, after: capabilities }),
);

/** The data of `auth-user.factor-added`. */
export interface AddedFactor {
  readonly id: string;
  readonly displayName: string | null;
  readonly factor: 'PASSWORD' | 'PASSKEY' | 'TOTP' | 'RECOVERY_CODE';
  /** The name of a passkey; null for other factors. */
  readonly name: string | null;
  /** The identity through whose sign-in link the factor was set; null if no identity made one. */
  readonly linkMakerId: string | null;
}

/** Data of `auth-user.factor-added`. */
export const addedFactor = responseSchema<AddedFactor>('AddedFactor')(
  closedObject({
    id: v.string(),
    displayName: v.nullable(v.string()),
    factor: v.picklist(['PASSWORD', 'PASSKEY', 'TOTP', 'RECOVERY_CODE']),
    name: v.nullable(v.string()),
    linkMakerId: v.nullable(v.string()),
  }),
);

/** The data of `sign-in.blocked` and `sign-in.locked`. */
export interface SignInEvent {
  /** The auth user; null for the lock of an address, which concerns every user who signs in from there. */
  readonly id: string | null;
  readonly displayName: string | null;
  /** Why, such as `LOCKED_OUT`. */
  readonly reasons: readonly string[];
  /** ISO 8601 in UTC with milliseconds; null where nothing is locked. */
  readonly lockedUntil: string | null;
  /** The address of the attempt; if `id` is null, the locked address. For IPv6, the network. */
  readonly address: string;
}

/** Data of `sign-in.blocked` and `sign-in.locked`. */
export const signInEvent = responseSchema<SignInEvent>('SignInEvent')(
  closedObject({
    id: v.nullable(v.string()),
    displayName: v.nullable(v.string()),
    reasons: v.array(v.string()),
    lockedUntil: v.nullable(timestamp),
    address: v.string(),
  }),
);

/** The data of `access-model.imported`. */
export interface ImportedCounts {
  readonly counts: { readonly [K in RecordKind]: ImportCounts };
  readonly policySetVersion: number;
}

/** Data of `access-model.imported`. */
export const importedCounts = responseSchema<ImportedCounts>('ImportedCounts')(
  closedObject({ counts: recordCounts, policySetVersion: wholeNumber }),
);
