import { equalJson } from '../../basics/json-patch/value.ts';
import { ATTRIBUTE_NAME } from '../model/attributes.ts';

/** What the groups of a source become. */
export const SOURCE_GROUPS = ['ENTITLEMENT', 'ROLE'] as const;

/** A rule by which accounts find their identities: both fields have the same text, whatever its case and outer spaces. */
export interface CorrelationRule {
  /** A field of an account. */
  readonly account: string;
  /** A field of an identity. */
  readonly identity: string;
}

/** A system that data comes from. */
export interface Source {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** Whether its accounts make identities, and decide on their names, e-mail addresses and attributes. */
  readonly authoritative: boolean;
  /** The profile of the identities that it makes; null for `employees`. */
  readonly identityProfileId: string | null;
  readonly correlation: readonly CorrelationRule[];
  /** Whether a disabled account grants nothing. */
  readonly ignoreDisabled: boolean;
  /** In percent of its accounts. */
  readonly deleteThresholdPercent: number;
  readonly groups: (typeof SOURCE_GROUPS)[number];
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly modified: string;
  /** The id of the last load that was applied to it; null where there has been none. */
  readonly lastLoad: string | null;
}

/** The properties of a source that callers give. */
export type SourceFields = Omit<Source, 'created' | 'modified' | 'lastLoad'>;

/** The most sources of a tenant. */
export const SOURCES_MAX = 100;

/** The text of a cause about one more. */
export const TOO_MANY_SOURCES = `a tenant can have at most ${SOURCES_MAX} sources`;

/** The most rules of a source. */
export const CORRELATION_RULES_MAX = 10;

/** The values of what a request about a source leaves out. */
export const SOURCE_DEFAULTS = {
  description: null,
  authoritative: false,
  identityProfileId: null,
  correlation: [
    { account: 'name', identity: 'uid' },
    { account: 'email', identity: 'email' },
  ],
  ignoreDisabled: true,
  deleteThresholdPercent: 10,
  groups: 'ENTITLEMENT',
} as const satisfies Partial<SourceFields>;

const ACCOUNT_FIELDS: readonly string[] = ['id', 'name', 'email'];
const IDENTITY_FIELDS: readonly string[] = ['id', 'uid', 'email', 'externalId', 'identificationNumber'];

/** The prefix of the fields that are attributes. */
export const ATTRIBUTE_PREFIX = 'attributes.';

const isAttributeField = (text: string): boolean =>
  text.startsWith(ATTRIBUTE_PREFIX) && ATTRIBUTE_NAME.test(text.slice(ATTRIBUTE_PREFIX.length));

/** Whether a text names a field of accounts that rules may compare. */
export const isAccountField = (text: string): boolean => ACCOUNT_FIELDS.includes(text) || isAttributeField(text);

/** Whether a text names a field of identities that rules may compare. */
export const isIdentityField = (text: string): boolean => IDENTITY_FIELDS.includes(text) || isAttributeField(text);

/** The source that a request makes of the stored one; `before` is null for a new one. `modified` changes only when something else does. */
export function completeSource(fields: SourceFields, before: Source | null, now: string): Source {
  const { created, modified, lastLoad } = before ?? { created: now, modified: now, lastLoad: null };
  const source: Source = {
    id: fields.id,
    name: fields.name,
    description: fields.description,
    authoritative: fields.authoritative,
    identityProfileId: fields.identityProfileId,
    correlation: fields.correlation,
    ignoreDisabled: fields.ignoreDisabled,
    deleteThresholdPercent: fields.deleteThresholdPercent,
    groups: fields.groups,
    created,
    modified,
    lastLoad,
  };
  return before === null || equalJson(source, before) ? source : { ...source, modified: now };
}

/** Whether a change of a source may change which identities its accounts belong to, or what they grant. */
export const changesAccounts = (before: Source, after: Source): boolean =>
  before.authoritative !== after.authoritative ||
  before.ignoreDisabled !== after.ignoreDisabled ||
  !equalJson(before.correlation, after.correlation);
