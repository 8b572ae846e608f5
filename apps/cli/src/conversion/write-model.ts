import { accessModelRecord, validate } from '@access-admin/contract';
import type { Sink } from '../files/write-whole.ts';
import type { Position } from '../output/problem.ts';
import type { Faults } from './report.ts';

/** What is known of a record beyond the fields of the service. */
export interface Extras {
  /** The name of the record where it comes from. */
  readonly externalId?: string | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

/** Writes the records of a model. */
export interface ModelWriter {
  /** Writes a record, or makes it a fault where the service would refuse it. */
  write(record: Readonly<Record<string, unknown>> & Extras, at: Position): Promise<void>;
  /** Writes what is left. */
  end(): Promise<void>;
  readonly count: number;
}

const PIECE_LENGTH = 64 * 1024;

/** Creates a writer of the records that the service would take. */
export function createModelWriter(sink: Sink, faults: Faults): ModelWriter {
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
      const whole = { ...record, ...extras };
      const parsed = validate(accessModelRecord, whole);
      if (!parsed.ok) {
        for (const cause of parsed.failure.causes) faults.add({ at, text: `${cause.at}: ${cause.text}` });
        return;
      }
      piece += `${JSON.stringify(whole)}\n`;
      count++;
      if (piece.length < PIECE_LENGTH) return;
      const full = piece;
      piece = '';
      await sink.write(full);
    },
    end: () => sink.write(piece),
  };
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
