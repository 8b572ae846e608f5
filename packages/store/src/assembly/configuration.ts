import { CACHE_BYTES_DEFAULT, CACHE_BYTES_MIN } from '../predictions/sod-reader.ts';
import { isSecretKey, SECRET_KEY_RULE } from '../record/secrets/open-cipher.ts';
import { parseWebhookTargets, WEBHOOK_TARGETS_RULE } from '../webhooks/targets.ts';
import { DATABASE_URL_RULE, parseDatabaseUrl } from './database-url.ts';

/** The environment of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A variable of the environment. An empty one counts as left out. */
export interface Variable {
  readonly fallback: string;
  readonly isGood: (text: string) => boolean;
  /** Follows "must be" in the fault. */
  readonly rule: string;
}

/** Returns what reads a variable, and adds a sentence to `faults` if it is wrong. Values may be secret and are not repeated. */
export const createTake =
  <Name extends string>(variables: Readonly<Record<Name, Variable>>, env: Env, faults: string[]) =>
  (name: Name): string => {
    const { fallback, isGood, rule } = variables[name];
    const text = env[name] || fallback;
    if (!isGood(text)) faults.push(`${name} must be ${rule}.`);
    return text;
  };

/** What API and worker are told alike. */
export interface SharedConfig {
  readonly host: string;
  readonly databaseUrl: string;
  /** The address of the service, without a trailing slash; may hold `{tenant}`. */
  readonly baseAddress: string;
  readonly logLevel: string;
  /** The memory for compiled rulebooks and held access. */
  readonly cacheBytes: number;
  /** The key of the secrets in the database, and the one before; null where they are not given. */
  readonly secretKey: string | null;
  readonly previousSecretKey: string | null;
  /** The origins that webhooks may have although they are not public. */
  readonly webhookTargets: ReadonlySet<string>;
  /** The server that takes mails, and their sender; null where no mails are sent. */
  readonly mail: MailConfig | null;
}

export interface MailConfig {
  /** May hold a password. */
  readonly smtpUrl: string;
  readonly from: string;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const VARIABLES = {
  HOST: { fallback: '127.0.0.1', isGood: (text) => !/[\s/]/.test(text), rule: 'a host name or address' },
  PORT: {
    fallback: '8080',
    isGood: (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535,
    rule: 'a port from 1 to 65535',
  },
  DATABASE_URL: {
    fallback: 'sqlite:var/access-admin.db',
    isGood: (text) => parseDatabaseUrl(text) !== null,
    rule: DATABASE_URL_RULE,
  },
  BASE_ADDRESS: {
    fallback: '',
    isGood: (text) => text === '' || isBaseAddress(text),
    rule: 'an http or https address without path, with {tenant} at most once and in its host only',
  },
  LOG_LEVEL: {
    fallback: 'info',
    isGood: (text) => LOG_LEVELS.includes(text),
    rule: `one of ${LOG_LEVELS.join(', ')}`,
  },
  CACHE_BYTES: {
    fallback: String(CACHE_BYTES_DEFAULT),
    isGood: (text) => /^\d{1,15}$/.test(text) && Number(text) >= CACHE_BYTES_MIN,
    rule: `a whole number of bytes from ${CACHE_BYTES_MIN} on`,
  },
  SECRET_KEY: { fallback: '', isGood: (text) => text === '' || isSecretKey(text), rule: SECRET_KEY_RULE },
  SECRET_KEY_PREVIOUS: { fallback: '', isGood: (text) => text === '' || isSecretKey(text), rule: SECRET_KEY_RULE },
  WEBHOOK_TARGETS: {
    fallback: '',
    isGood: (text) => text === '' || parseWebhookTargets(text) !== null,
    rule: WEBHOOK_TARGETS_RULE,
  },
  SMTP_URL: {
    fallback: '',
    isGood: (text) => text === '' || isSmtpUrl(text),
    rule: 'smtp://[user:password@]host[:port] or smtps://[user:password@]host[:port]',
  },
  MAIL_FROM: {
    fallback: '',
    isGood: (text) => text === '' || MAIL_FROM.test(text),
    rule: 'an address, or a name and an address: Access <access@example.com>',
  },
} as const satisfies Record<string, Variable>;

/** A name without quotes, commas and angle brackets, which would begin another address. */
const MAIL_FROM = /^(?:[^"<>,;:@\p{Cc}]{1,128} <[^\s<>,;:"@]+@[^\s<>,;:"@]+>|[^\s<>,;:"@]+@[^\s<>,;:"@]+)$/u;

/** Reads the variables that API and worker share. `port` is where the API listens. */
export function parseSharedConfig(env: Env, faults: string[]): SharedConfig & { readonly port: number } {
  const take = createTake(VARIABLES, env, faults);
  const host = take('HOST');
  const port = take('PORT');
  const config = {
    host,
    port: Number(port),
    databaseUrl: take('DATABASE_URL'),
    baseAddress: (take('BASE_ADDRESS') || `http://${host.includes(':') ? `[${host}]` : host}:${port}`).replace(
      /\/$/,
      '',
    ),
    logLevel: take('LOG_LEVEL'),
    cacheBytes: Number(take('CACHE_BYTES')),
    secretKey: take('SECRET_KEY') || null,
    previousSecretKey: take('SECRET_KEY_PREVIOUS') || null,
    webhookTargets: parseWebhookTargets(take('WEBHOOK_TARGETS')) ?? new Set(),
    mail: takeMail(take('SMTP_URL'), take('MAIL_FROM')),
  };
  if (config.mail?.from === '') faults.push('MAIL_FROM must be given with SMTP_URL.');
  // With SQLite a key is made.
  if (config.mail !== null && config.secretKey === null && !config.databaseUrl.startsWith('sqlite:'))
    faults.push('SECRET_KEY must be given with SMTP_URL: it encrypts sign-in links until they are sent.');
  return config;
}

const takeMail = (smtpUrl: string, from: string): MailConfig | null => (smtpUrl === '' ? null : { smtpUrl, from });

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname);
}

function isBaseAddress(text: string): boolean {
  if (/[?#@]/.test(text)) return false;
  const url = URL.parse(text.replace('{tenant}', 'tenant'));
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    !text.replace('{tenant}', '').includes('{')
  );
}
