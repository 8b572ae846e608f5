import { addTextCodes, addValueCode, foldText, searchSeed } from '@access-admin/domain';

/** The kinds of record that can be looked up, as they are stored. */
export const SEARCH_KINDS = { entitlement: 1, access_profile: 2, role: 3, identity_profile: 4, identity: 5 } as const;

/** A table whose rows can be looked up. */
export type SearchTable = keyof typeof SEARCH_KINDS;

/** What searches compare of a record. Texts are folded. */
export interface SearchEntry {
  readonly id: string;
  /** The name; of an identity, the display name. */
  readonly name: string;
  /** Null for other records than identities. */
  readonly uid: string | null;
  readonly email: string | null;
  /** The source of an entitlement, the identity profile of an identity; not folded. */
  readonly parent: string | null;
  /** The codes of the texts, of the parent, and of the refs that the record has; some may repeat. */
  readonly codes: readonly number[];
}

interface ExternalColumns {
  readonly attributes: string | null;
  readonly external_id: string | null;
}

interface NamedColumns {
  readonly id: string;
  readonly name: string;
}

/** The columns of a row that an entry is made of. */
export interface SearchedColumns {
  readonly entitlement: NamedColumns & ExternalColumns & { readonly source: string | null };
  readonly access_profile: NamedColumns & ExternalColumns & { readonly entitlements: string };
  readonly role: SearchedColumns['access_profile'] & { readonly access_profiles: string };
  readonly identity_profile: NamedColumns;
  readonly identity: ExternalColumns & {
    readonly id: string;
    readonly uid_folded: string;
    readonly display_name: string | null;
    readonly email: string | null;
    readonly identity_profile: string;
    readonly access: string;
  };
}

/** The names of these columns. */
export const SEARCHED_COLUMNS: { readonly [T in SearchTable]: readonly (keyof SearchedColumns[T] & string)[] } = {
  entitlement: ['id', 'name', 'source', 'attributes', 'external_id'],
  access_profile: ['id', 'name', 'entitlements', 'attributes', 'external_id'],
  role: ['id', 'name', 'entitlements', 'access_profiles', 'attributes', 'external_id'],
  identity_profile: ['id', 'name'],
  identity: ['id', 'uid_folded', 'display_name', 'email', 'identity_profile', 'access', 'attributes', 'external_id'],
};

/** The fields that have codes of their own. The codes of refs are those of the records that have them. */
export type SearchedField =
  | 'id'
  | 'attribute'
  | 'externalId'
  | 'name'
  | 'uid'
  | 'email'
  | 'parent'
  | 'ENTITLEMENT'
  | 'ACCESS_PROFILE'
  | 'ROLE';

/** The seed of the codes of a field. */
export const seedOf = (tenant: string, table: SearchTable, field: SearchedField): number =>
  searchSeed({ tenant, kind: table, field });

/** Makes the entries of the rows of a tenant's table. */
export function createEntryMaker<T extends SearchTable>(
  tenant: string,
  table: T,
): (row: SearchedColumns[T]) => SearchEntry {
  const seed = (field: SearchedField) => seedOf(tenant, table, field);
  const makers: { readonly [K in SearchTable]: () => (row: SearchedColumns[K]) => SearchEntry } = {
    entitlement: () => makeEntitlement(seed),
    access_profile: () => makeBundle(seed),
    role: () => makeBundle(seed),
    identity_profile: () => makeNamed(seed),
    identity: () => makeIdentity(seed),
  };
  return makers[table]();
}

type Seed = (field: SearchedField) => number;

const NOTHING_ELSE = { uid: null, email: null, parent: null } as const;

function makeNamed(seed: Seed): (row: { readonly id: string; readonly name: string }) => SearchEntry {
  const ofName = seed('name');
  const ofId = seed('id');
  return ({ id, name }) => {
    const folded = foldText(name);
    const codes: number[] = [];
    addTextCodes(codes, ofName, folded);
    addTextCodes(codes, ofId, foldText(id));
    return { id, name: folded, ...NOTHING_ELSE, codes };
  };
}

function makeEntitlement(seed: Seed): (row: SearchedColumns['entitlement']) => SearchEntry {
  const named = makeNamed(seed);
  const ofParent = seed('parent');
  const addExternal = makeExternal(seed);
  return (row) => {
    const entry = named(row);
    const codes = [...entry.codes];
    addExternal(codes, row);
    if (row.source !== null) addValueCode(codes, ofParent, row.source);
    return { ...entry, parent: row.source, codes };
  };
}

type Bundle = SearchedColumns['access_profile'] & Partial<SearchedColumns['role']>;

function makeBundle(seed: Seed): (row: Bundle) => SearchEntry {
  const named = makeNamed(seed);
  const ofEntitlement = seed('ENTITLEMENT');
  const ofProfile = seed('ACCESS_PROFILE');
  const addExternal = makeExternal(seed);
  return (row) => {
    const entry = named(row);
    const codes = [...entry.codes];
    for (const id of idsOf(row.entitlements)) addValueCode(codes, ofEntitlement, id);
    addExternal(codes, row);
    for (const id of idsOf(row.access_profiles ?? '[]')) addValueCode(codes, ofProfile, id);
    return { ...entry, codes };
  };
}

/** The value of which an attribute has a code. */
export const valueOfAttribute = (name: string, value: string): string => `${name}\u0000${value}`;

function makeExternal(seed: Seed): (codes: number[], row: ExternalColumns) => void {
  const ofAttribute = seed('attribute');
  const ofExternalId = seed('externalId');
  return (codes, { attributes, external_id }) => {
    if (external_id !== null) addValueCode(codes, ofExternalId, external_id);
    if (attributes === null) return;
    const values: Readonly<Record<string, string>> = JSON.parse(attributes);
    for (const [name, value] of Object.entries(values)) addValueCode(codes, ofAttribute, valueOfAttribute(name, value));
  };
}

const idsOf = (text: string): readonly string[] => JSON.parse(text);

function makeIdentity(seed: Seed): (row: SearchedColumns['identity']) => SearchEntry {
  const ofName = seed('name');
  const ofUid = seed('uid');
  const ofEmail = seed('email');
  const ofParent = seed('parent');
  const ofRef = { ENTITLEMENT: seed('ENTITLEMENT'), ACCESS_PROFILE: seed('ACCESS_PROFILE'), ROLE: seed('ROLE') };
  const ofId = seed('id');
  const addExternal = makeExternal(seed);
  return (row) => {
    const { id, display_name, email, identity_profile, access } = row;
    const uid = foldText(row.uid_folded);
    const codes: number[] = [];
    addTextCodes(codes, ofId, foldText(id));
    addExternal(codes, row);
    const name = foldText(display_name ?? '');
    const foldedEmail = email === null ? null : foldText(email);
    addTextCodes(codes, ofName, name);
    addTextCodes(codes, ofUid, uid);
    if (foldedEmail !== null) addTextCodes(codes, ofEmail, foldedEmail);
    addValueCode(codes, ofParent, identity_profile);
    const refs: readonly (readonly [keyof typeof ofRef, string])[] = JSON.parse(access);
    for (const [type, refId] of refs) addValueCode(codes, ofRef[type], refId);
    return { id, name, uid, email: foldedEmail, parent: identity_profile, codes };
  };
}
