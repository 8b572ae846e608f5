import { type Columns, createTable, type Engine } from './columns.ts';

/** What people sign in with, and their sessions. */
export const CREDENTIAL_TABLES = {
  /** An identity that has, or had, a credential, a session or failures. The rows below it are deleted with it. */
  sign_in_account: {
    tenant: 'text',
    identity_id: 'text',
    /** Argon2id in the PHC form. */
    password_hash: 'text?',
    password_changed: 'text?',
    /** Encrypted, see secrets/cipher.ts. */
    totp_secret: 'text?',
    /** The last 30-second step whose code was used. */
    totp_step: 'bigint',
  },
  passkey: {
    tenant: 'text',
    /** The credential id, in base64url. */
    id: 'text',
    identity_id: 'text',
    name: 'text',
    /** COSE, in base64url. */
    public_key: 'text',
    counter: 'bigint',
    /** JSON: array of strings. */
    transports: 'text',
    created: 'text',
    last_used: 'text?',
  },
  recovery_code: {
    tenant: 'text',
    identity_id: 'text',
    /** SHA-256 of the code, in hexadecimal digits. */
    hash: 'text',
  },
  /** How often a change of an identity has ended its links, and what began with one; no row for never. */
  link_generation: {
    tenant: 'text',
    identity_id: 'text',
    generation: 'bigint',
  },
  sign_in_link: {
    tenant: 'text',
    /** SHA-256 of the token, in hexadecimal digits. */
    hash: 'text',
    identity_id: 'text',
    /** That of the identity when it was made; it is valid while they are the same. */
    generation: 'bigint',
    /** The identity that made it; null for an application. */
    maker_id: 'text?',
    /** The client that made it; null for none of this tenant. */
    maker_client_id: 'text?',
    /** JSON: the capabilities of the identity that made it; null for an application, which has none to compare. */
    maker_capabilities: 'text?',
    created: 'text',
    expires_ms: 'bigint',
  },
  /** A sign-in between two of its steps. */
  pending_sign_in: {
    tenant: 'text',
    /** SHA-256 of the token, in hexadecimal digits. */
    hash: 'text',
    /** Null until a username names one identity. */
    identity_id: 'text?',
    /** The generation of the link that it began with; null without one. */
    link_generation: 'bigint?',
    /** JSON: what has been proven so far. */
    state: 'text',
    expires_ms: 'bigint',
  },
  session: {
    tenant: 'text',
    /** SHA-256 of the token, in hexadecimal digits. */
    hash: 'text',
    /** Names the session to callers. */
    id: 'text',
    identity_id: 'text',
    /** JSON: array of the factors proven at sign-in. */
    factors: 'text',
    /** The generation of the link that it began with, with which it ends; null without one. */
    link_generation: 'bigint?',
    /** 1 when it began in a frame. */
    is_framed: 'integer',
    created_ms: 'bigint',
    /** When a factor was proven last. */
    proven_ms: 'bigint',
    /** The last activity, to the minute. */
    active_ms: 'bigint',
    expires_ms: 'bigint',
    idle_expires_ms: 'bigint',
  },
  /** Failed attempts to sign in of one user or from one address. */
  sign_in_failure: {
    tenant: 'text',
    /** `USER` or `ADDRESS`. */
    kind: 'text',
    /** The id of the identity, or the address. */
    subject: 'text',
    /** The subject of a user; null for an address. */
    identity_id: 'text?',
    /** JSON: array of the times of the latest failures, in milliseconds, ascending. */
    times: 'text',
    /** When the lock begins and ends; both 0 when it is not locked. */
    locked_from_ms: 'bigint',
    locked_until_ms: 'bigint',
    /** When the row has no effect any more. */
    expires_ms: 'bigint',
  },
} as const satisfies Readonly<Record<string, Columns>>;

const OF_ACCOUNT =
  'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade';

/** Adds credentials and sessions. They are deleted with their identity, whatever deletes it. */
export const credentialStatements = (engine: Engine): readonly string[] => {
  const create = (table: keyof typeof CREDENTIAL_TABLES, key: string, foreignKey = OF_ACCOUNT) =>
    createTable(engine, table, [CREDENTIAL_TABLES[table], `primary key (${key})`, foreignKey]);
  return [
    create(
      'sign_in_account',
      'tenant, identity_id',
      'foreign key (tenant, identity_id) references identity (tenant, id) on delete cascade',
    ),
    create('passkey', 'tenant, id'),
    create('recovery_code', 'tenant, identity_id, hash'),
    create('link_generation', 'tenant, identity_id'),
    create('sign_in_link', 'tenant, hash'),
    create('pending_sign_in', 'tenant, hash'),
    create('session', 'tenant, hash'),
    create('sign_in_failure', 'tenant, kind, subject'),
    ...(['passkey', 'sign_in_link', 'pending_sign_in', 'sign_in_failure'] as const).map(
      (table) => `create index ${table}_identity on ${table} (tenant, identity_id)`,
    ),
    'create unique index session_id on session (tenant, id)',
    'create index session_identity on session (tenant, identity_id, id)',
    ...(['sign_in_link', 'pending_sign_in', 'session', 'sign_in_failure'] as const).map(
      (table) => `create index ${table}_expires on ${table} (expires_ms)`,
    ),
    'create index session_idle on session (idle_expires_ms)',
  ];
};

/** The columns that a later migration, 0011-sign-in-times, adds by table. */
export const SIGN_IN_TIME_COLUMNS = {
  /** When the latest two sign-ins began; null for none. */
  sign_in_account: { last_login_ms: 'bigint?', current_login_ms: 'bigint?' },
} as const satisfies Readonly<Record<string, Columns>>;

/** The columns that a later migration, 0014-sign-in-details, adds by table. */
export const SIGN_IN_DETAIL_COLUMNS = {
  /** When an administrator ended its lock last; null for never. */
  sign_in_account: { last_unlocked: 'text?' },
  /** From where it began; null for a session of an earlier version. */
  session: { address: 'text?' },
} as const satisfies Readonly<Record<string, Columns>>;

/** Adds where sessions began, and when locks were ended. */
export const signInDetails: readonly string[] = [
  'alter table sign_in_account add column last_unlocked text',
  'alter table session add column address text',
];

/** Adds the times of sign-ins to what identities sign in with. */
export const signInTimes: readonly string[] = Object.keys(SIGN_IN_TIME_COLUMNS.sign_in_account).map(
  (column) => `alter table sign_in_account add column ${column} bigint`,
);
