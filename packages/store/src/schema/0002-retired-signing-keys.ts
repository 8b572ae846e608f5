import { type Columns, createTable, type Engine } from './columns.ts';

/** The tables of keys that are no longer used to sign. */
export const RETIRED_KEY_TABLES = {
  retired_signing_key: {
    kid: 'text',
    issuer: 'text',
    /** JSON: the public key. The private key is not kept. */
    public_jwk: 'text',
    created: 'text',
    retired: 'text',
  },
} as const satisfies Readonly<Record<string, Columns>>;

export const retiredSigningKeys = (engine: Engine): readonly string[] => [
  createTable(engine, 'retired_signing_key', [RETIRED_KEY_TABLES.retired_signing_key, 'primary key (kid)']),
];
