import type { Format } from './kinds.ts';
import type { Mapping } from './mapping.ts';
import type { Faults } from './report.ts';
import type { Uses } from './uses.ts';
import type { RecordWriter } from './write-records.ts';

/** What every conversion is given. */
export interface Conversion {
  readonly writer: RecordWriter;
  readonly faults: Faults;
  readonly uses: Uses;
  readonly mapping: Mapping;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, bytes: number) => void;
  /** Takes what is worth knowing and no fault: what was left out, and what the files do not say. */
  readonly onNote: (text: string) => void;
  readonly format: Format;
  /** The name of the system, as the source of its entitlements. */
  readonly system: string | null;
  /** Whether what people hold may be in the service already, and need not be in the files. */
  readonly isLoad: boolean;
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
}
