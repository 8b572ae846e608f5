import { eraseProperty, type Pseudonym } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { TenantScope } from '../engine/scope.ts';
import type { Tables } from '../schema/tables.ts';

/** The person whose records are read. */
export interface Person {
  readonly tenant: string;
  readonly id: string;
}

/** The rows of a table that name a person. */
export interface PersonSource {
  /** What an export calls a row. */
  readonly kind: string;
  readonly table: keyof Tables;
  /** What is shown. Left out is what is secret, and what the service needs for itself. */
  readonly columns: readonly string[];
  /** The columns that identify a row of these within the tenant. */
  readonly key: readonly string[];
  readonly isOf: (person: Person) => RawBuilder<boolean>;
  readonly reading: Reading;
  /** How an erasure changes the rows; left out where it leaves them as they are. */
  readonly erasing?: Erasing;
}

type Values = Readonly<Record<string, unknown>>;

/** How an erasure changes a row, of which it is given the columns shown. */
export interface Erasing {
  readonly changes: TenantScope['changes'];
  /** Whether a row has come to its end. Others are in use, and are looked at again later. */
  readonly hasEnded: (row: Values) => boolean;
  /** The columns that change. */
  readonly set: (row: Values, who: Pseudonym) => Values;
}

/**
 * How rows are read: `ordered` where an index finds them in the order of the key, `few` where an index finds them and they are
 * small and few, `scanned` where no index finds them. With an order SQLite would read the whole table by its key.
 */
type Reading = 'ordered' | 'few' | 'scanned';

type IsOf = PersonSource['isOf'];

/** Rows that have the id of the person in a column. */
const by =
  (columns: string): IsOf =>
  ({ id }) =>
    sql<boolean>`(${sql.join(
      columns.split(' ').map((column) => sql`${sql.ref(column)} = ${id}`),
      sql` or `,
    )})`;

const either =
  (...conditions: readonly IsOf[]): IsOf =>
  (person) =>
    sql<boolean>`(${sql.join(
      conditions.map((isOf) => isOf(person)),
      sql` or `,
    )})`;

const both =
  (condition: (person: Person) => RawBuilder<unknown>, isOf: IsOf): IsOf =>
  (person) =>
    sql<boolean>`(${condition(person)} and ${isOf(person)})`;

/** Rows with a column of JSON that has the id of the person as one of its strings. */
const inJson =
  (columns: string): IsOf =>
  ({ id }) =>
    sql<boolean>`(${sql.join(
      columns.split(' ').map((column) => namesInJson(sql.ref(column), id)),
      sql` or `,
    )})`;

/** Whether a text of JSON has this id as one of its strings. `like` of SQLite ignores case, and the two engines share no search without. */
export const namesInJson = (text: RawBuilder<unknown>, id: string): RawBuilder<boolean> =>
  sql<boolean>`replace(${text}, ${JSON.stringify(id)}, '') <> ${text}`;

/** Sets the pseudonym in a column with the id of the person, and in those with names beside it. */
const renamed =
  (column: string, names = ''): Erasing['set'] =>
  (row, { id, pseudonym }) =>
    row[column] === id
      ? Object.fromEntries(
          [column, ...names.split(' ')]
            .filter((each) => typeof row[each] === 'string')
            .map((each) => [each, pseudonym]),
        )
      : {};

/** The name of the property that a column is shown as. */
export const camelCase = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Replaces the texts of the person in columns of JSON. */
const replacedIn =
  (columns: string): Erasing['set'] =>
  (row, who) =>
    Object.fromEntries(
      columns.split(' ').flatMap((column) => {
        const text = row[column];
        return typeof text === 'string'
          ? [[column, JSON.stringify(eraseProperty(camelCase(column), JSON.parse(text), who))]]
          : [];
      }),
    );

const all =
  (...sets: readonly Erasing['set'][]): Erasing['set'] =>
  (row, who) =>
    Object.assign({}, ...sets.map((set) => set(row, who)));

/** Of `[client id, identity id, display name]`. */
const renamedRequester: Erasing['set'] = ({ requested_by: text }, { id, pseudonym }) => {
  const [clientId, identityId, displayName] = JSON.parse(String(text));
  if (identityId !== id) return {};
  return { requested_by: JSON.stringify([clientId, pseudonym, displayName === null ? null : pseudonym]) };
};

/** Of the identity that asked for the work. */
const renamedActor: Erasing['set'] = ({ audit_context: text }, { id, pseudonym }) => {
  const { actor, ...context } = JSON.parse(String(text));
  if (actor.identityId !== id) return {};
  return { audit_context: JSON.stringify({ ...context, actor: { ...actor, identityId: pseudonym } }) };
};

/** Of an ended violation that the register has not yet taken from its owner: a new identity with the pseudonym gets no rights. */
const withFormerOwner: Erasing['set'] = ({ owner_id, ended_owner_name: name }, { id, pseudonym }) =>
  owner_id === id
    ? { owner_id: null, former_owner_id: pseudonym, ended_owner_name: typeof name === 'string' ? pseudonym : null }
    : {};

const always = (): boolean => true;
const never = (): boolean => false;

type Row = Pick<PersonSource, 'kind' | 'table' | 'erasing'> & {
  readonly columns: string;
  readonly key: string;
  readonly isOf: IsOf;
};

const reader =
  (reading: Reading) =>
  ({ columns, key, ...source }: Row): PersonSource => ({
    ...source,
    columns: columns.split(' '),
    key: key.split(' '),
    reading,
  });

const ordered = reader('ordered');
const few = reader('few');
const scanned = reader('scanned');

const ACCOUNT_COLUMNS =
  'id source_id account_id name external_id display_name email disabled correlation identity_id candidates made_identity_id created modified attributes access';

const CHECK_COLUMNS =
  'request_id identity_id created state access_refs client_metadata includes at_instant completed result';

/** All that names a person but events and audit entries. */
export const PERSON_SOURCES: readonly PersonSource[] = [
  ordered({
    kind: 'identity',
    table: 'identity',
    columns:
      'id uid display_name alias firstname lastname email personal_email phone work_phone identification_number identity_profile active capabilities attributes external_id access own_access created_ms last_login_timestamp current_login_timestamp last_password_change_date last_unlock_timestamp',
    key: 'id',
    isOf: by('id'),
  }),
  ordered({
    kind: 'account',
    table: 'account',
    columns: ACCOUNT_COLUMNS,
    key: 'id',
    isOf: by('identity_id'),
  }),
  scanned({
    kind: 'account',
    table: 'account',
    columns: ACCOUNT_COLUMNS,
    key: 'id',
    isOf: both(
      ({ id }) => sql`coalesce(identity_id, '') <> ${id}`,
      either(by('made_identity_id'), inJson('candidates')),
    ),
  }),
  ordered({
    kind: 'signIn',
    table: 'sign_in_account',
    columns: 'identity_id password_changed totp_created last_login_ms current_login_ms last_unlocked',
    key: 'identity_id',
    isOf: by('identity_id'),
  }),
  few({
    kind: 'passkey',
    table: 'passkey',
    columns: 'id name transports created last_used',
    key: 'id',
    isOf: by('identity_id'),
  }),
  ordered({
    kind: 'recoveryCode',
    table: 'recovery_code',
    columns: 'identity_id created',
    key: 'identity_id hash',
    isOf: by('identity_id'),
  }),
  ordered({
    kind: 'session',
    table: 'session',
    columns: 'id identity_id factors is_framed created_ms proven_ms active_ms expires_ms address',
    key: 'id',
    isOf: by('identity_id'),
  }),
  few({
    kind: 'pendingSignIn',
    table: 'pending_sign_in',
    columns: 'identity_id expires_ms',
    key: 'hash',
    isOf: by('identity_id'),
  }),
  ordered({
    kind: 'signInFailure',
    table: 'sign_in_failure',
    columns: 'identity_id times locked_from_ms locked_until_ms',
    key: 'kind subject',
    isOf: both(() => sql`kind = 'USER'`, by('subject')),
  }),
  scanned({
    kind: 'signInLink',
    table: 'sign_in_link',
    columns: 'identity_id maker_id created expires_ms',
    key: 'hash',
    isOf: by('identity_id maker_id'),
  }),
  scanned({
    kind: 'usedSignInLink',
    table: 'used_sign_in_link',
    columns: 'identity_id maker_id',
    key: 'hash',
    isOf: by('identity_id maker_id'),
  }),
  scanned({
    kind: 'tie',
    table: 'identity_tie',
    columns: 'identity_id maker_id made_ms',
    key: 'identity_id maker_id',
    isOf: by('identity_id maker_id'),
  }),
  scanned({
    kind: 'profileTie',
    table: 'identity_profile_tie',
    columns: 'identity_profile maker_id made_ms',
    key: 'identity_profile maker_id',
    isOf: by('maker_id'),
  }),
  few({
    kind: 'client',
    table: 'oauth_client',
    columns: 'id name scopes identity_id created last_used',
    key: 'id',
    isOf: by('identity_id'),
  }),
  scanned({
    kind: 'clientOrigin',
    table: 'oauth_client_origin',
    columns: 'client_id maker_id',
    key: 'client_id maker_id',
    isOf: by('maker_id'),
  }),
  scanned({
    kind: 'webhook',
    table: 'webhook',
    columns: 'id name url types enabled created modified identity_id',
    key: 'id',
    isOf: by('identity_id'),
  }),
  scanned({
    kind: 'policy',
    table: 'sod_policy',
    columns: 'id name owner_id owner_assignment secondary_owner_refs creator_id modifier_id created modified',
    key: 'id',
    isOf: either(by('owner_id creator_id modifier_id'), inJson('owner_assignment secondary_owner_refs')),
  }),
  scanned({
    kind: 'control',
    table: 'control',
    columns: 'id name owner_id secondary_owner_ids created modified',
    key: 'id',
    isOf: either(by('owner_id'), inJson('secondary_owner_ids')),
  }),
  scanned({
    kind: 'violation',
    table: 'sod_violation',
    columns:
      'id identity_id target_name policy_id policy_name status created modified closed owner_id ended_owner_name former_owner_id exception_id criteria',
    key: 'id',
    isOf: by('identity_id owner_id former_owner_id'),
    erasing: {
      changes: 'register',
      hasEnded: ({ closed }) => closed !== null,
      set: all(renamed('identity_id', 'target_name'), renamed('former_owner_id', 'ended_owner_name'), withFormerOwner),
    },
  }),
  scanned({
    kind: 'exception',
    table: 'sod_exception',
    columns:
      'id policy_id identity_id starts ends justification requester_id created approver_id approved approved_items revoker_id revoked voided decisions',
    key: 'id',
    isOf: either(by('identity_id requester_id approver_id revoker_id'), inJson('decisions')),
  }),
  scanned({
    kind: 'appliedControl',
    table: 'applied_control',
    columns: 'id violation_id exception_id control_id control_name applier_id applied comments',
    key: 'id',
    isOf: either(
      by('applier_id'),
      ({ tenant, id }) => sql<boolean>`exists (select 1 from sod_exception
        where sod_exception.tenant = ${tenant} and sod_exception.id = applied_control.exception_id
          and sod_exception.identity_id = ${id})`,
    ),
  }),
  scanned({
    kind: 'reservation',
    table: 'sod_reservation',
    columns:
      'id identity_id access_refs state created expires ended reference client_metadata client_id requester_id prediction',
    key: 'id',
    isOf: by('identity_id requester_id'),
  }),
  // One that is completed meanwhile is told twice; the other order would leave it out.
  ordered({
    kind: 'check',
    table: 'sod_check',
    columns: CHECK_COLUMNS,
    key: 'created request_id',
    isOf: both(() => sql`state = 'PENDING'`, by('identity_id')),
    erasing: { changes: 'checks', hasEnded: never, set: () => ({}) },
  }),
  ordered({
    kind: 'check',
    table: 'sod_check',
    columns: CHECK_COLUMNS,
    key: 'state created request_id',
    isOf: both(() => sql`completed is not null`, by('identity_id')),
    erasing: {
      changes: 'checks',
      hasEnded: always,
      set: all(renamed('identity_id'), replacedIn('client_metadata result')),
    },
  }),
  scanned({
    kind: 'report',
    table: 'sod_report',
    columns: 'report_id kind created state completed requested_by request question',
    key: 'report_id',
    isOf: inJson('requested_by request question'),
    erasing: {
      changes: 'reports',
      hasEnded: ({ completed }) => completed !== null,
      set: all(replacedIn('request question'), renamedRequester),
    },
  }),
  // Removed at the end of the report. What it decides by may equal the id: nothing is replaced.
  scanned({
    kind: 'reportRequest',
    table: 'sod_report_request',
    columns: 'report_id part content',
    key: 'report_id part',
    isOf: inJson('content'),
    erasing: { changes: 'reports', hasEnded: never, set: () => ({}) },
  }),
  scanned({
    kind: 'reportViolation',
    table: 'sod_report_violation',
    columns: 'report_id number identity_id display_name change exception_id items',
    key: 'report_id number identity_id',
    isOf: by('identity_id'),
    erasing: { changes: 'reports', hasEnded: always, set: renamed('identity_id', 'display_name') },
  }),
  scanned({
    kind: 'reportEntry',
    table: 'sod_report_entry',
    columns: 'report_id list number identity_id display_name content',
    key: 'report_id list number',
    isOf: either(by('identity_id'), inJson('content')),
    erasing: {
      changes: 'reports',
      hasEnded: always,
      set: all(renamed('identity_id', 'display_name'), replacedIn('content')),
    },
  }),
  scanned({
    kind: 'load',
    table: 'source_load',
    columns: 'load_id source_id state created committed completed audit_context',
    key: 'load_id',
    isOf: inJson('audit_context'),
    // A running one writes events in the name of the identity that committed it.
    erasing: { changes: 'all', hasEnded: ({ state }) => state !== 'RUNNING', set: renamedActor },
  }),
  scanned({
    kind: 'erasure',
    table: 'identity_erasure',
    columns: 'id pseudonym requested audit_context',
    key: 'id_digest',
    isOf: either(by('id'), inJson('audit_context')),
    erasing: { changes: 'auditLog', hasEnded: always, set: renamedActor },
  }),
  scanned({
    kind: 'mail',
    table: 'mail',
    columns: 'id kind recipient_id data created due_ms expires_ms',
    key: 'id',
    isOf: either(by('recipient_id'), inJson('data')),
  }),
  scanned({
    kind: 'webhookDelivery',
    table: 'webhook_delivery',
    columns: 'webhook_id id event_id sequence type state created attempts',
    key: 'webhook_id id',
    isOf: ({ tenant, id }) => sql<boolean>`exists (select 1 from event
      where event.tenant = ${tenant} and event.sequence = webhook_delivery.sequence
        and (event.resource_id = ${id} or ${namesInJson(sql`event.data`, id)}))`,
  }),
];

/** The columns whose texts are JSON. */
export const JSON_COLUMNS: ReadonlySet<string> = new Set(
  'access access_refs approved_items attempts attributes audit_context candidates capabilities client_metadata content criteria data decisions factors includes items own_access owner_assignment prediction question request requested_by result scopes secondary_owner_ids secondary_owner_refs times transports types'.split(
    ' ',
  ),
);
