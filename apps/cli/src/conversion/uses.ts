import type { Position } from '../output/problem.ts';
import { looksLikeDate } from './dates.ts';
import type { Faults } from './report.ts';

/** What became of each column or field, in the order in which they were found. */
export interface Uses {
  add(of: string, field: string, use: string): void;
  /** Rows of a table: file or kind of record, column or field, use. */
  readonly rows: readonly (readonly [of: string, field: string, use: string])[];
}

/** Creates an empty list; a field that is told again stays as it was. */
export function createUses(): Uses {
  const rows = new Map<string, readonly [string, string, string]>();
  return {
    add: (of, field, use) => {
      const key = `${of}\n${field}`;
      if (!rows.has(key)) rows.set(key, [of, field, use]);
    },
    get rows() {
      return [...rows.values()];
    },
  };
}

/** What the values of unmapped columns look like. */
export interface Watch {
  see(field: string, value: string, at: Position): void;
  /** Makes a fault of each column that seems to hold dates, or types of access. */
  end(faults: Faults): void;
}

/** What a watch looks for. */
export interface WatchOptions {
  /** Whether columns that say of what kind access is are looked for among all names, or among those that speak of access alone. */
  readonly types: boolean;
}

const DATE_WORD =
  /^(date|datum|dates|.*(?<!up)datum|gültig.*|gueltig.*|valid.*|ablauf.*|expir.*|befrist.*|anfang.*|beginn.*|until|eintritt.*|austritt.*)$/;
const ACCESS_WORD =
  /^(roles?|rollen?|groups?|gruppen?|memberof|entitlements?|permissions?|berechtigung(en)?|privileges?|approles?.*)$/;
const TYPE_WORD = /^(typ|type|art|kind|.*typ|accesstype)$/;
const TYPE_VALUE =
  /^(role|rolle|business role|geschäftsrolle|entitlement|berechtigung|group|gruppe|access[ _]?profile|zugriffsprofil|(einzel|sammel)rolle|(single|composite) role)$/i;

/** What the values of a column look like. */
interface Seen {
  readonly at: Position;
  hasDate: boolean;
  hasType: boolean;
  /** Values of digits alone, and those of them that are a day, such as 20261231: some numbers of eight digits are. */
  numbers: number;
  days: number;
}

/** Creates a watch over the columns of a table, or the fields of records. */
export function createWatch({ types }: WatchOptions): Watch {
  const seen = new Map<string, Seen>();
  return {
    see: (field, value, at) => {
      if (value === '') return;
      const known = seen.get(field) ?? { at, hasDate: false, hasType: false, numbers: 0, days: 0 };
      seen.set(field, known);
      // One date, or one type, says what the column holds.
      if (known.hasDate) return;
      if (/^\d+$/.test(value)) {
        known.numbers++;
        if (looksLikeDate(value)) known.days++;
      } else if (looksLikeDate(value)) known.hasDate = true;
      else if (types && !known.hasType) known.hasType = TYPE_VALUE.test(value);
    },
    end: (faults) => {
      for (const [field, { at, hasDate, hasType, numbers, days }] of seen) {
        const words = wordsOf(field);
        const any = (pattern: RegExp) => words.some((word) => pattern.test(word));
        const what =
          hasDate || (days > 0 && days * 2 >= numbers) || any(DATE_WORD)
            ? 'dates'
            : any(ACCESS_WORD)
              ? 'access'
              : types && (hasType || any(TYPE_WORD))
                ? 'types of access'
                : null;
        if (what === null) continue;
        const text = `${field} seems to hold ${what}, and is not recognised: a mapping (--map) says what it means, or names it under attributes or ignore`;
        faults.add({ at: { ...at, line: 1 }, text });
      }
    },
  };
}

/** The words of a name, in lower case: of `validTo`, `Gültig bis` and `valid_to`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
