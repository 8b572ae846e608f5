import { type Columns, createTable, type Engine } from './columns.ts';

/** The settings of tenants for signing in. */
export const SIGN_IN_SETTING_TABLES = {
  /** JSON, or null for a config that is not set. */
  sign_in_settings: { tenant: 'text', lockout: 'text?', session: 'text?', network: 'text?' },
} as const satisfies Readonly<Record<string, Columns>>;

export const signInSettings = (engine: Engine): readonly string[] => [
  createTable(engine, 'sign_in_settings', [SIGN_IN_SETTING_TABLES.sign_in_settings, 'primary key (tenant)']),
];
