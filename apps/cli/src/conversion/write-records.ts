import { accessModelRecord, validate } from '@access-admin/contract';
import { ATTRIBUTE_VALUE_LENGTH_MAX, type TimedAccessRef } from '@access-admin/domain';
import type { Position, Problem } from '../output/problem.ts';
import type { IdMaker } from './ids.ts';
import type { Faults } from './report.ts';

/** A record of the catalogue, or of a model. */
export type CatalogueRecord = Readonly<Record<string, unknown>> & {
  /** The name of the record where it comes from. */
  readonly externalId?: string | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
};

/** A person, or a thing, that holds access in another system. */
export interface AccountRecord {
  /** Its id there. */
  readonly id: string;
  /** Its name at sign-in there. */
  readonly name: string;
  /** The name of which its id in a model is made; the id if left out. */
  readonly modelName?: string;
  readonly displayName: string;
  readonly fields: Readonly<Partial<Record<PersonField, string>>>;
  readonly profile: { readonly id: string; readonly name: string };
  /** The name of its profile where the files have one; an attribute in a load, since sources decide on profiles. */
  readonly statedProfile?: string | undefined;
  readonly disabled: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly access: readonly TimedAccessRef[];
  readonly externalId?: string | undefined;
}

/** What is known of a person beside names. */
export type PersonField = 'firstname' | 'lastname' | 'email' | 'workPhone';

/** What files say of the type of access that they name and do not describe: that it is an entitlement, or nothing. */
export type Mention = 'entitlement' | 'any';

/** Takes what a conversion finds. */
export interface RecordWriter {
  /**
   * Writes a record of the catalogue, or makes it a fault where the service would refuse it. Resolves with whether it is written. A
   * record that is made of a mention alone is to replace nothing that the service has.
   */
  catalogue(record: CatalogueRecord, at: Position, mention?: Mention): Promise<boolean>;
  account(account: AccountRecord, at: Position): Promise<boolean>;
  /** Writes what is left. */
  end(): Promise<void>;
  readonly count: number;
}

/** Where records go. */
export interface RecordTarget {
  readonly write: (text: string) => Promise<void>;
  readonly faults: Faults;
  /** Receives what is said of each text that is cut to the length that the service takes; null if such a text is a fault. */
  readonly onCut: ((problem: Problem) => void) | null;
}

/** A record that is checked as the service does, and how it is written. */
interface Checked {
  readonly record: Readonly<Record<string, unknown>>;
  readonly written?: (checked: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** Checks a record, and returns it as a line; null where it became faults. */
function createLines({ faults, onCut }: Pick<RecordTarget, 'faults' | 'onCut'>) {
  return ({ record, written = (checked) => checked }: Checked, at: Position): string | null => {
    const whole = onCut === null ? record : cutTexts(record, (text) => onCut({ at, text }));
    const parsed = validate(accessModelRecord, whole);
    if (parsed.ok) return `${JSON.stringify(written(whole))}\n`;
    for (const cause of parsed.failure.causes) faults.add({ at, text: `${cause.at}: ${cause.text}` });
    return null;
  };
}

const PIECE_LENGTH = 64 * 1024;

/** Writes a model. */
export interface ModelWriter extends RecordWriter {
  /** How many records are made of mentions alone. */
  readonly mentions: number;
}

/** Creates a writer of a model, in which accounts are identities. */
export function createModelWriter(target: RecordTarget, ids: IdMaker): ModelWriter {
  const lineOf = createLines(target);
  const profiles = new Set<string>();
  let piece = '';
  let count = 0;
  let mentions = 0;
  const put = async (record: Readonly<Record<string, unknown>>, at: Position) => {
    const line = lineOf({ record }, at);
    if (line === null) return false;
    piece += line;
    count++;
    if (piece.length < PIECE_LENGTH) return true;
    const full = piece;
    piece = '';
    await target.write(full);
    return true;
  };
  return {
    get count() {
      return count;
    },
    get mentions() {
      return mentions;
    },
    catalogue: async (record, at, mention) => {
      const isWritten = await put(withExtras(record), at);
      if (isWritten && mention !== undefined) mentions++;
      return isWritten;
    },
    account: async ({ profile, fields, access, disabled, attributes, ...account }, at) => {
      if (!profiles.has(profile.id)) {
        profiles.add(profile.id);
        await put({ kind: 'identityProfile', ...profile }, at);
      }
      const name = account.modelName ?? account.id;
      const id = ids.idOf(name);
      const record = {
        kind: 'identity',
        id,
        uid: account.name,
        identityProfile: profile.id,
        displayName: account.displayName,
        ...fields,
        access,
        externalId: account.externalId ?? (id === account.id ? undefined : account.id),
        attributes: disabled ? { ...attributes, disabled: 'true' } : attributes,
      };
      return put(withExtras(record), at);
    },
    end: () => target.write(piece),
  };
}

/**
 * Puts a prefix before the ids of the catalogue, wherever they stand, so that those of several systems stay apart. A record keeps the
 * id without it as its `externalId`, unless it has one.
 */
export function withPrefix(writer: RecordWriter, prefix: string): RecordWriter {
  if (prefix === '') return writer;
  // What is no id is left for the check of the record.
  const prefixed = (id: unknown) => (typeof id === 'string' && id !== '' ? prefix + id : id);
  const contentOf = (record: CatalogueRecord) =>
    CONTENTS.flatMap((field) => {
      const ids = record[field];
      return Array.isArray(ids) ? [[field, ids.map(prefixed)]] : [];
    });
  return {
    get count() {
      return writer.count;
    },
    catalogue: (record, at, mention) => {
      const { id, externalId = typeof id === 'string' ? id : undefined } = record;
      return writer.catalogue(
        { ...record, id: prefixed(id), ...Object.fromEntries(contentOf(record)), externalId },
        at,
        mention,
      );
    },
    account: (account, at) =>
      writer.account(
        { ...account, access: account.access.map((ref) => ({ ...ref, id: String(prefixed(ref.id)) })) },
        at,
      ),
    end: () => writer.end(),
  };
}

const CONTENTS = ['entitlements', 'accessProfiles'] as const;

/** Takes the lines of a load, one by one. */
export interface LineTarget extends Omit<RecordTarget, 'write'> {
  readonly put: (line: string, at: Position) => void;
}

/** A record of the catalogue in a load. */
export interface LoadedItem {
  readonly kind: string;
  readonly id: string;
  /** The system that it is of. */
  readonly source: string;
  readonly at: Position;
  /** For an item that is mentioned alone. */
  readonly mention?: Mention;
}

/** Writes the records of a load. */
export interface LoadWriter extends RecordWriter {
  /** Those of the catalogue that were written, with those that are mentioned alone. */
  readonly items: readonly LoadedItem[];
  /** Writes those that are mentioned alone but for some; until then they are held back. */
  putMentions(but: ReadonlySet<LoadedItem>): void;
  readonly accounts: number;
  /** The fields of accounts, as rules of correlation name them, that at least one account has. */
  readonly accountFields: ReadonlySet<string>;
}

/** Creates a writer of the records of a load of a source, which has this name. */
export function createLoadWriter(target: LineTarget, sourceName: string): LoadWriter {
  const lineOf = createLines(target);
  const { put } = target;
  const items: LoadedItem[] = [];
  let held: { readonly item: LoadedItem; readonly line: string }[] = [];
  const accountFields = new Set<string>();
  let count = 0;
  const clashes = new Set<string>();
  const tellClash = (field: string, at: Position) => {
    if (clashes.has(field)) return;
    clashes.add(field);
    target.faults.add({
      at,
      text: `attributes.${field}: another column is used as ${field}; give one of them another name`,
    });
  };
  return {
    items,
    accountFields,
    get count() {
      return count;
    },
    get accounts() {
      return count - items.length;
    },
    putMentions: (but) => {
      for (const { item, line } of held) if (!but.has(item)) put(line, item.at);
      held = [];
    },
    catalogue: async (record, at, mention) => {
      const kind = String(record['kind']);
      const isEntitlement = kind === 'entitlement';
      const source = (isEntitlement ? record['source'] : record.attributes?.['source']) || sourceName;
      const named = isEntitlement
        ? { ...record, source }
        : { ...record, attributes: { ...record.attributes, source: String(source) } };
      const line = lineOf({ record: withExtras(named) }, at);
      if (line === null) return false;
      const item = { kind, id: String(record['id']), source: String(source), at };
      if (mention === undefined) {
        put(line, at);
        items.push(item);
      } else {
        const mentioned = { ...item, mention };
        held.push({ item: mentioned, line });
        items.push(mentioned);
      }
      count++;
      return true;
    },
    account: async ({ id, name, displayName, fields, statedProfile, disabled, attributes, access }, at) => {
      const { email, ...others } = fields;
      const own = { ...others, ...(statedProfile === undefined ? {} : { identityProfile: statedProfile }) };
      for (const field of Object.keys(own)) if (field in attributes) tellClash(field, at);
      const said = { id, name, displayName, ...(email === undefined ? {} : { email }), disabled, access };
      const all = { ...attributes, ...own };
      for (const field of ['id', 'name']) accountFields.add(field);
      if (email !== undefined) accountFields.add('email');
      for (const field of Object.keys(all)) accountFields.add(`attributes.${field}`);
      const record = withExtras({ kind: 'account', source: 'source', ...said, attributes: all });
      // The load says of which source its accounts are.
      const line = lineOf({ record, written: ({ source: _, ...checked }) => checked }, at);
      if (line === null) return false;
      put(line, at);
      count++;
      return true;
    },
    end: async () => {},
  };
}

function withExtras({ externalId, attributes, ...record }: CatalogueRecord): Readonly<Record<string, unknown>> {
  return {
    ...record,
    ...(externalId === undefined ? {} : { externalId }),
    ...(attributes === undefined || Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

/** The fields that people write without a limit in mind; the service takes names of the same length as values of attributes. */
const CUT_FIELDS = ['name', 'displayName'];

function cutTexts(
  record: Readonly<Record<string, unknown>>,
  onCut: (text: string) => void,
): Readonly<Record<string, unknown>> {
  const cut = (field: string, value: unknown) => {
    if (typeof value !== 'string' || value.length <= ATTRIBUTE_VALUE_LENGTH_MAX) return value;
    // The service counts characters, not their UTF-16 code units.
    const characters = [...value];
    if (characters.length <= ATTRIBUTE_VALUE_LENGTH_MAX) return value;
    onCut(`${field}: ${characters.length} characters are cut to ${ATTRIBUTE_VALUE_LENGTH_MAX}`);
    return `${characters.slice(0, ATTRIBUTE_VALUE_LENGTH_MAX - 1).join('')}…`;
  };
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => {
      if (CUT_FIELDS.includes(field)) return [field, cut(field, value)];
      if (field !== 'attributes') return [field, value];
      const attributes = Object.entries(Object(value)).map(([name, text]) => [name, cut(`attributes.${name}`, text)]);
      return [field, Object.fromEntries(attributes)];
    }),
  );
}
