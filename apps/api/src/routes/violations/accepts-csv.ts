import { accepts } from 'hono/accepts';
import type { RequestContext } from '../../env.ts';

const CSV = 'text/csv';
const LINES = 'application/x-ndjson';

/** Whether `Accept` rates CSV higher than JSON lines (RFC 9110). A range such as `text/*` asks for neither. */
export const acceptsCsv = (c: RequestContext): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: [LINES, CSV],
    default: LINES,
    match: (ranges) => {
      const qualityOf = (wanted: string) => ranges.find(({ type }) => type.toLowerCase() === wanted)?.q ?? 0;
      return qualityOf(CSV) > qualityOf(LINES) ? CSV : LINES;
    },
  }) === CSV;
