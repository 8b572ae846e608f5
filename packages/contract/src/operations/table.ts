import type { Capability } from '@access-admin/domain';
import { ACCESS_MODEL } from './access-model.ts';
import { AUDIT } from './audit.ts';
import { AUTH_PROFILES } from './auth-profiles.ts';
import { AUTH_USERS } from './auth-users.ts';
import { AUTHZEN } from './authzen.ts';
import { BRANDING } from './branding.ts';
import { CHECKS } from './checks.ts';
import { CLIENTS } from './clients.ts';
import { CONTROLS } from './controls.ts';
import type { Operation } from './define-operation.ts';
import { EVENTS } from './events.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { LOADS } from './loads.ts';
import { LOOK_UPS } from './look-ups.ts';
import { PERSONS } from './persons.ts';
import { POLICIES } from './policies.ts';
import { PREDICTIONS } from './predictions.ts';
import { RECORDS } from './records.ts';
import { REPORTS } from './reports.ts';
import { RESERVATIONS } from './reservations.ts';
import { SESSIONS } from './sessions.ts';
import { SIGN_IN } from './sign-in.ts';
import { SOURCES } from './sources.ts';
import { TENANTS } from './tenants.ts';
import { UI_METADATA } from './ui-metadata.ts';
import { VIOLATIONS } from './violations.ts';
import { WEBHOOKS } from './webhooks.ts';

const TABLE = [
  ...Object.values(AUTH_USERS),
  ...Object.values(AUTH_PROFILES),
  ...Object.values(SIGN_IN),
  ...Object.values(SESSIONS),
  ...Object.values(PREDICTIONS),
  ...Object.values(AUTHZEN),
  ...Object.values(CHECKS),
  ...Object.values(REPORTS),
  ...Object.values(VIOLATIONS),
  ...Object.values(POLICIES),
  ...Object.values(EXCEPTIONS),
  ...Object.values(RESERVATIONS),
  ...Object.values(CONTROLS),
  ...Object.values(UI_METADATA),
  ...Object.values(BRANDING),
  ...Object.values(CLIENTS),
  ...Object.values(TENANTS),
  ...Object.values(ACCESS_MODEL),
  ...Object.values(LOOK_UPS),
  ...Object.values(RECORDS.identity),
  ...Object.values(PERSONS),
  ...Object.values(RECORDS.entitlement),
  ...Object.values(RECORDS.accessProfile),
  ...Object.values(RECORDS.role),
  ...Object.values(RECORDS.identityProfile),
  ...Object.values(SOURCES),
  ...Object.values(LOADS),
  ...Object.values(AUDIT),
  ...Object.values(EVENTS),
  ...Object.values(WEBHOOKS),
];

type Row = (typeof TABLE)[number];

/** The id of an operation that needs a token. */
export type OperationId = Row['id'];

/** Every operation that needs a token. The API mounts them; the client and the OpenAPI document follow them. */
export const OPERATIONS: readonly Operation<OperationId>[] = TABLE;

/** The capabilities that permit an operation. The others are for services beside this one. */
export const EFFECTIVE_CAPABILITIES: ReadonlySet<Capability> = new Set(
  OPERATIONS.flatMap(({ rights }) => rights.capabilities),
);

/** An operation with the types of its definition. */
export type OperationOf<Id extends OperationId> = Extract<Row, { readonly id: Id }>;

const BY_ID: ReadonlyMap<string, Row> = new Map(TABLE.map((operation) => [operation.id, operation]));

/** The operation with this id. */
export function operationOf<Id extends OperationId>(id: Id): OperationOf<Id> {
  const operation = BY_ID.get(id);
  if (operation === undefined || !hasId(operation, id)) throw new Error(`There is no operation ${id}.`);
  return operation;
}

const hasId = <Id extends OperationId>(operation: Row, id: Id): operation is OperationOf<Id> => operation.id === id;
