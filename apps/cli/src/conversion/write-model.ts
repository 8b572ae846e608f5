import { accessModelRecord, validate } from '@access-admin/contract';
import { ATTRIBUTE_VALUE_LENGTH_MAX } from '@access-admin/domain';
import type { Sink } from '../files/write-whole.ts';
import type { Position, Problem } from '../output/problem.ts';
import type { Faults } from './report.ts';

/** What is known of a record beyond the fields of the service. */
export interface Extras {
  /** The name of the record where it comes from. */
  readonly externalId?: string | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** Writes the records of a model. */
export interface ModelWriter {
  /** Writes a record, or makes it a fault where the service would refuse it. Resolves with whether it is written. */
  write(record: Readonly<Record<string, unknown>> & Extras, at: Position): Promise<boolean>;
  /** Writes what is left. */
  end(): Promise<void>;
  readonly count: number;
}

const PIECE_LENGTH = 64 * 1024;

/** Where the records of a model go. */
export interface ModelTarget {
  readonly sink: Sink;
  readonly faults: Faults;
  /** Receives what is said of each text that is cut to the length that the service takes; null if such a text is a fault. */
  readonly onCut: ((problem: Problem) => void) | null;
}

/** Creates a writer of the records that the service would take. */
export function createModelWriter({ sink, faults, onCut }: ModelTarget): ModelWriter {
  let piece = '';
  let count = 0;
  return {
    get count() {
      return count;
    },
    write: async ({ externalId, attributes, ...record }, at) => {
      const extras = {
        ...(externalId === undefined ? {} : { externalId }),
        ...(attributes === undefined || Object.keys(attributes).length === 0 ? {} : { attributes }),
      };
      const given = { ...record, ...extras };
      const whole = onCut === null ? given : cutTexts(given, (text) => onCut({ at, text }));
      const parsed = validate(accessModelRecord, whole);
      if (!parsed.ok) {
        for (const cause of parsed.failure.causes) faults.add({ at, text: `${cause.at}: ${cause.text}` });
        return false;
      }
      piece += `${JSON.stringify(whole)}\n`;
      count++;
      if (piece.length < PIECE_LENGTH) return true;
      const full = piece;
      piece = '';
      await sink.write(full);
      return true;
    },
    end: () => sink.write(piece),
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

/** The name of an attribute from a heading: `Cost Centre` becomes `costCentre`. */
export function attributeName(heading: string): string {
  const words = heading
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const [first = 'column', ...rest] = words;
  const name = [
    /^[A-Z]+$/.test(first) ? first.toLowerCase() : first[0]?.toLowerCase() + first.slice(1),
    ...rest.map((word) => word[0]?.toUpperCase() + word.slice(1)),
  ].join('');
  return (/^[A-Za-z]/.test(name) ? name : `a${name}`).slice(0, 64);
}
