import {
  ACCESS_TYPES,
  type AccessProfile,
  type Catalogue,
  type Entitlement,
  RECORD_KINDS,
  type RecordKind,
  type Role,
  type TimedAccessRef,
} from '@access-admin/domain';
import { jsonErrorPlace, reasonOf } from '../files/read-text.ts';
import type { Position, Problem } from '../output/problem.ts';

/** An identity of a model, as evaluation needs it. */
export interface ModelIdentity {
  readonly id: string;
  readonly displayName: string;
  readonly access: readonly TimedAccessRef[];
}

/** A record of a model: the ones that evaluation needs, and the kind of every other. */
export type ModelRecord =
  | ({ readonly kind: 'entitlement' } & Entitlement)
  | ({ readonly kind: 'accessProfile' } & AccessProfile)
  | ({ readonly kind: 'role' } & Role)
  | ({ readonly kind: 'identity' } & ModelIdentity)
  | { readonly kind: 'other' };

/** The catalogue of a model while it is read: the last record of an id wins. */
export interface CatalogueBuilder {
  add(record: ModelRecord): void;
  catalogue(): Catalogue;
}

/** Creates an empty catalogue. */
export function createCatalogue(): CatalogueBuilder {
  const entitlements = new Map<string, Entitlement>();
  const accessProfiles = new Map<string, AccessProfile>();
  const roles = new Map<string, Role>();
  return {
    add: (record) => {
      if (record.kind === 'entitlement') entitlements.set(record.id, record);
      else if (record.kind === 'accessProfile') accessProfiles.set(record.id, record);
      else if (record.kind === 'role') roles.set(record.id, record);
    },
    catalogue: () => ({
      entitlements: [...entitlements.values()],
      accessProfiles: [...accessProfiles.values()],
      roles: [...roles.values()],
    }),
  };
}

const OTHER: ModelRecord = { kind: 'other' };

const strict = new TextDecoder('utf-8', { fatal: true });

/** Parses a line of a model. A fault says where it is; blank lines and kinds that evaluation does not need are `other`. */
export function parseModelLine(bytes: Uint8Array, { file, line }: Omit<Position, 'column'>): ModelRecord | Problem {
  const problem = (column: number, reason: string): Problem => ({ at: { file, line, column }, text: reason });
  let text = '';
  let value: unknown;
  try {
    text = strict.decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    if (Object(error).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return problem(1, 'the line is not UTF-8');
    if (text.trim() === '') return OTHER;
    const [, column = '1'] = jsonErrorPlace(text, error).split(':');
    return problem(Number(column), `not JSON: ${reasonOf(error)}`);
  }
  const record = Object(value) as Readonly<Record<string, unknown>>;
  const { kind, id } = record;
  if (typeof kind !== 'string' || !RECORD_KINDS.includes(kind as RecordKind))
    return problem(1, `kind: must be ${RECORD_KINDS.join(', ')}`);
  if (typeof id !== 'string') return problem(1, 'id: must be a text');
  if (record['delete'] === true) return problem(1, 'delete: a model states what exists; `import` deletes');
  const read = READERS[kind as RecordKind];
  if (read === undefined) return OTHER;
  const parsed = read(record, id);
  return typeof parsed === 'string' ? problem(1, parsed) : parsed;
}

/** Whether a parsed line is a fault. */
export const isProblem = (parsed: ModelRecord | Problem): parsed is Problem => 'at' in parsed;

type Reader = (record: Readonly<Record<string, unknown>>, id: string) => ModelRecord | string;

const READERS: Readonly<Partial<Record<RecordKind, Reader>>> = {
  entitlement: (record, id) => {
    const { name = id, source = null } = record;
    if (typeof name !== 'string') return 'name: must be a text';
    return { kind: 'entitlement', id, name, source: source as string | null };
  },
  accessProfile: (record, id) => {
    const { name = id, entitlements = [] } = record;
    if (typeof name !== 'string') return 'name: must be a text';
    if (!isTexts(entitlements)) return 'entitlements: must be a list of ids';
    return { kind: 'accessProfile', id, name, entitlements };
  },
  role: (record, id) => {
    const { name = id, entitlements = [], accessProfiles = [] } = record;
    if (typeof name !== 'string') return 'name: must be a text';
    if (!isTexts(entitlements)) return 'entitlements: must be a list of ids';
    if (!isTexts(accessProfiles)) return 'accessProfiles: must be a list of ids';
    return { kind: 'role', id, name, entitlements, accessProfiles };
  },
  identity: (record, id) => {
    const { displayName = record['uid'] ?? id, access = [] } = record;
    if (!Array.isArray(access)) return 'access: must be a list';
    for (const [index, ref] of access.entries()) {
      const fault = faultOfRef(ref);
      if (fault !== null) return `access[${index}]: ${fault}`;
    }
    return { kind: 'identity', id, displayName: String(displayName ?? id), access };
  },
};

function faultOfRef(ref: unknown): string | null {
  const { type, id, start, end } = Object(ref) as Readonly<Record<string, unknown>>;
  if (!ACCESS_TYPES.includes(type as never)) return `type must be ${ACCESS_TYPES.join(', ')}`;
  if (typeof id !== 'string') return 'id must be a text';
  for (const moment of [start, end])
    if (moment !== undefined && Number.isNaN(Date.parse(String(moment))))
      return 'start and end must be ISO 8601 with an offset';
  return null;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
