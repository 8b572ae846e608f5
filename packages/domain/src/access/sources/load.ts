import type { AccessProfile, Entitlement, Role } from '../model/records.ts';
import type { AccountFields } from './account.ts';
import type { Source } from './source.ts';

/** Whether a load has all accounts of its source, or only those that have changed. */
export const LOAD_MODES = ['FULL', 'DELTA'] as const;
export type LoadMode = (typeof LOAD_MODES)[number];

/** The states of a load, in their order. */
export const LOAD_STATES = ['OPEN', 'RUNNING', 'SUCCESS', 'REFUSED', 'ERROR'] as const;
export type LoadState = (typeof LOAD_STATES)[number];

/** Why a load was refused. */
export const LOAD_REFUSALS = ['DELETES_ABOVE_THRESHOLD', 'FAULTS'] as const;
export type LoadRefusal = (typeof LOAD_REFUSALS)[number];

/** The most parts of a load. */
export const LOAD_PARTS_MAX = 1_000;

/** How long a load takes parts, and how long one that was refused can be confirmed, in hours. */
export const LOAD_OPEN_HOURS = 24;

/** The most faults that a summary names. */
export const LOAD_FAULTS_MAX = 100;

/** How many ended loads of a source are kept. */
export const LOADS_KEPT_MAX = 100;

/** A record of a load. */
export type LoadRecord =
  | ({ readonly kind: 'entitlement' } & Entitlement)
  | ({ readonly kind: 'accessProfile' } & AccessProfile)
  | ({ readonly kind: 'role' } & Role)
  | ({ readonly kind: 'account' } & AccountFields);

/** What is wrong with a line of a part. */
export interface LineFault {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** What is wrong with a line of a load. */
export interface LoadFault extends LineFault {
  readonly part: number;
}

/** A part of a load as it was read. */
export interface LoadPart {
  readonly records: readonly { readonly line: number; readonly record: LoadRecord }[];
  /** The first ones. */
  readonly faults: readonly LineFault[];
  readonly faultCount: number;
}

/** What a load has changed, or a dry run would change. */
export interface LoadSummary {
  readonly accounts: {
    readonly created: number;
    readonly updated: number;
    readonly deleted: number;
    readonly unchanged: number;
  };
  /** How the accounts of the load came to their identities. */
  readonly correlated: {
    readonly byRule: number;
    readonly byHand: number;
    readonly ambiguous: number;
    readonly none: number;
  };
  readonly identities: { readonly created: number; readonly updated: number };
  readonly access: { readonly added: number; readonly removed: number };
  readonly disabled: number;
  readonly catalogue: { readonly created: number; readonly updated: number };
  readonly faults: readonly LoadFault[];
  readonly faultCount: number;
  /** How many violations it would open and end; of a dry run alone. */
  readonly violations?: { readonly opened: number; readonly ended: number };
}

/** A load of a source. */
export interface Load {
  readonly loadId: string;
  readonly source: string;
  readonly mode: LoadMode;
  readonly dryRun: boolean;
  readonly state: LoadState;
  /** Null unless it was refused. */
  readonly reason: LoadRefusal | null;
  /** How many accounts it would delete, or take all access from: to confirm. Null unless that is why it was refused. */
  readonly deletes: number | null;
  /** Why it has ended in ERROR, for its readers. */
  readonly message: string | null;
  /** ISO 8601 in UTC with milliseconds; null until then. */
  readonly created: string;
  readonly committed: string | null;
  readonly completed: string | null;
  /** Until when an open one takes parts, and one that was refused for its deletions can be confirmed; null for any other. */
  readonly expires: string | null;
  /** Null while it is open. While it runs, what it has changed so far. */
  readonly summary: LoadSummary | null;
}

/** The summary of a load that has changed nothing yet. */
export const EMPTY_LOAD_SUMMARY: LoadSummary = {
  accounts: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
  correlated: { byRule: 0, byHand: 0, ambiguous: 0, none: 0 },
  identities: { created: 0, updated: 0 },
  access: { added: 0, removed: 0 },
  disabled: 0,
  catalogue: { created: 0, updated: 0 },
  faults: [],
  faultCount: 0,
};

/** Adds what a piece of a load has changed. */
export const addToSummary = (summary: LoadSummary, piece: Partial<LoadSummary>): LoadSummary => ({
  accounts: sumOf(summary.accounts, piece.accounts),
  correlated: sumOf(summary.correlated, piece.correlated),
  identities: sumOf(summary.identities, piece.identities),
  access: sumOf(summary.access, piece.access),
  disabled: summary.disabled + (piece.disabled ?? 0),
  catalogue: sumOf(summary.catalogue, piece.catalogue),
  faults: [...summary.faults, ...(piece.faults ?? [])].slice(0, LOAD_FAULTS_MAX),
  faultCount: summary.faultCount + (piece.faultCount ?? piece.faults?.length ?? 0),
  ...(piece.violations === undefined ? {} : { violations: piece.violations }),
});

const sumOf = <C extends Readonly<Record<string, number>>>(one: C, other: C | undefined): C =>
  // biome-ignore lint/plugin/type-assertion: The keys are those of the first.
  (other === undefined ? one : Object.fromEntries(Object.entries(one).map(([k, n]) => [k, n + (other[k] ?? 0)]))) as C;

/** What a load takes away. */
export interface LoadLosses {
  /** The accounts that it deletes. */
  readonly deleted: number;
  /** The accounts that it takes all access from. */
  readonly emptied: number;
  /** The accounts of the source before it. */
  readonly accounts: number;
}

/** So few losses are below every threshold. */
const LOSSES_MIN = 10;

/** The number of losses to confirm, the greater one of both kinds; null where neither is above the threshold of the source. */
export function lossesToConfirm(
  { deleted, emptied, accounts }: LoadLosses,
  { deleteThresholdPercent }: Pick<Source, 'deleteThresholdPercent'>,
): number | null {
  const losses = Math.max(deleted, emptied);
  return losses > LOSSES_MIN && losses * 100 > accounts * deleteThresholdPercent ? losses : null;
}
