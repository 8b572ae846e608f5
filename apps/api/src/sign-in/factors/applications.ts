import { APPLICATION_ID_LENGTH_MAX, parseStrictJson } from '@access-admin/contract';
import { fail, ok, type Result, TENANT_NAME } from '@access-admin/domain';
import * as v from 'valibot';
import { bindNameFault } from './bind-name.ts';

/** What every application has. */
interface Application {
  readonly id: string;
  readonly name: string;
  /** The tenants whose auth profiles may name it. */
  readonly tenants: readonly string[];
}

/** A directory that is asked by binding as the user. */
export interface LdapApplication extends Application {
  readonly kind: 'ldap';
  /** `ldap:` or `ldaps:`, a host and perhaps a port. */
  readonly url: string;
  /** The name to bind as, with `{username}` in it: a DN, or a name of Active Directory. */
  readonly bindDn: string;
  readonly startTls: boolean;
  /** Certificates of authorities in PEM, which are trusted in place of those of the platform; null for these. */
  readonly authorities: string | null;
  /** How long connecting and binding may take, each. */
  readonly timeoutMs: number;
  /** Connections that one process has at the same time. */
  readonly connectionsMax: number;
}

/** An OpenID provider. */
export interface OidcApplication extends Application {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim of the ID token with the username. */
  readonly usernameClaim: string;
  readonly scopes: string;
}

/** An application that verifies the first factor of identities whose auth profile is of type `PTA`. */
export type SignInApplication = LdapApplication | OidcApplication;

const text = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));

const wholeNumber = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

const common = {
  // It is a part of paths.
  id: v.pipe(text(APPLICATION_ID_LENGTH_MAX), v.regex(/^[A-Za-z0-9:_.-]+$/, 'must be of letters, digits and : _ . -')),
  name: text(200),
  tenants: v.pipe(
    v.array(v.pipe(v.string(), v.regex(TENANT_NAME, 'must be the name of a tenant'))),
    v.minLength(1, 'must not be empty'),
  ),
};

/** Whether a host is this machine itself, so that what is sent to it crosses no network. */
const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

const isPlain = (url: URL | null, paths: readonly string[] | null): url is URL =>
  url !== null &&
  url.hostname !== '' &&
  [url.username, url.password, url.search, url.hash].every((part) => part === '') &&
  (paths === null || paths.includes(url.pathname));

function isDirectoryUrl(given: string): boolean {
  const url = URL.parse(given);
  return isPlain(url, ['', '/']) && /^ldaps?:$/.test(url.protocol);
}

function isProtected({ url, startTls }: { readonly url: string; readonly startTls?: boolean | undefined }): boolean {
  const parsed = URL.parse(url);
  // An address that is none has an issue of its own.
  return parsed?.protocol !== 'ldap:' || startTls === true || isLoopback(parsed.hostname);
}

const ldap = v.pipe(
  v.strictObject({
    ...common,
    kind: v.literal('ldap'),
    url: v.pipe(
      v.string(),
      v.check(isDirectoryUrl, 'must be an ldap or ldaps address of a host, without user, password and path'),
    ),
    bindDn: v.pipe(
      text(1024),
      v.check(
        (given) => bindNameFault(given) === null,
        ({ input }) => bindNameFault(input) ?? '',
      ),
    ),
    startTls: v.optional(v.boolean(), false),
    caFile: v.optional(text(4096)),
    timeoutMs: v.optional(wholeNumber(100, 60_000), 5_000),
    connectionsMax: v.optional(wholeNumber(1, 100), 8),
  }),
  v.forward(
    v.partialCheck([['url'], ['startTls']], isProtected, 'must be ldaps, or startTls true, unless it is this machine'),
    ['url'],
  ),
  v.forward(
    v.partialCheck(
      [['url'], ['startTls']],
      ({ url, startTls }) => !(startTls === true && URL.parse(url)?.protocol === 'ldaps:'),
      'must be false with ldaps, which begins with TLS',
    ),
    ['startTls'],
  ),
);

function isIssuer(given: string): boolean {
  const url = URL.parse(given);
  return isPlain(url, null) && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
}

const oidc = v.strictObject({
  ...common,
  kind: v.literal('oidc'),
  issuer: v.pipe(v.string(), v.check(isIssuer, 'must be an https address; http on this machine alone')),
  clientId: text(256),
  clientSecret: text(1024),
  usernameClaim: v.optional(text(256), 'preferred_username'),
  scopes: v.optional(
    v.pipe(
      text(1024),
      v.check((given) => given.split(' ').includes('openid'), 'must have openid'),
    ),
    'openid profile email',
  ),
});

const application = v.variant('kind', [ldap, oidc]);

/** Reads a file that an application names; throws where it cannot be read. */
type ReadText = (path: string) => string;

/** The applications of a file; the failure lists all issues, the first one at each place, and repeats no value. */
export function parseSignInApplications(
  given: string,
  readText: ReadText,
): Result<readonly SignInApplication[], readonly string[]> {
  const json = parseStrictJson(given);
  if (!json.ok || !Array.isArray(json.value)) return fail(['is no JSON array, or has a key twice']);
  const faults = new Map<string, string>();
  const applications: SignInApplication[] = [];
  for (const [at, each] of json.value.entries()) {
    const parsed = v.safeParse(application, each);
    for (const issue of parsed.issues ?? []) {
      const place = `[${at}]${placeOf(issue)}`;
      if (!faults.has(place)) faults.set(place, ruleOf(issue));
    }
    if (!parsed.success) continue;
    const read = withAuthorities(parsed.output, readText);
    if (read === null) faults.set(`[${at}].caFile`, 'must be a readable file of certificates in PEM');
    else applications.push(read);
  }
  const keys = applications.flatMap(({ id, tenants }) => tenants.map((tenant) => `${id} of the tenant ${tenant}`));
  for (const key of keys.filter((each, at) => keys.indexOf(each) !== at)) faults.set(key, 'stands there twice');
  const listed = [...faults].map(([place, rule]) => `${place} ${rule}`);
  return listed.length > 0 ? fail(listed) : ok(applications);
}

type Parsed = v.InferOutput<typeof application>;

/** The certificates are read at start, so that a missing file is told then. */
function withAuthorities(parsed: Parsed, readText: ReadText): SignInApplication | null {
  if (parsed.kind === 'oidc') return parsed;
  const { caFile, ...directory } = parsed;
  if (caFile === undefined) return { ...directory, authorities: null };
  const authorities = readOrNull(caFile, readText);
  return authorities?.includes('-----BEGIN CERTIFICATE-----') === true ? { ...directory, authorities } : null;
}

function readOrNull(path: string, readText: ReadText): string | null {
  try {
    return readText(path);
  } catch {
    return null;
  }
}

const placeOf = (issue: v.BaseIssue<unknown>): string => {
  const path = v.getDotPath(issue);
  return path === null ? '' : `.${path}`;
};

/** Messages of the library repeat what was given, which may be a secret. */
function ruleOf({ kind, type, expected, message, requirement }: v.BaseIssue<unknown>): string {
  if (type === 'check' || type === 'partial_check' || type === 'regex' || type === 'min_length')
    return message.startsWith('Invalid') ? 'has a wrong length' : message;
  if (expected === 'never') return 'is unknown';
  if (kind === 'validation') return `must be within ${String(requirement)}`;
  return expected === null ? 'is wrong' : `must be ${expected}`;
}

/** The application of a tenant with this id. */
export const findApplication = (
  all: readonly SignInApplication[],
  tenant: string,
  id: string | null,
): SignInApplication | null => all.find((each) => each.id === id && each.tenants.includes(tenant)) ?? null;
