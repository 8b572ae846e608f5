const KIB = 1024;

/** A limit as the OpenAPI document and docs/reference/limits.md state it. */
export interface PublishedLimit {
  readonly what: string;
  /** The largest accepted value, with its unit. */
  readonly most: string;
  /** The status and detail code of a request beyond the limit. */
  readonly over: string;
  /** The environment variable that changes it, or `no`. */
  readonly setting: string;
}

/** A number with commas between thousands. */
export const grouped = (count: number) => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
const inKib = (count: number) => (count < KIB * KIB ? `${count / KIB} KiB` : `${count / KIB / KIB} MiB`);
/** A size in bytes, and in KiB or MiB. */
export const bytes = (count: number) => `${grouped(count)} bytes (${inKib(count)})`;
/** A length in characters. */
export const characters = (count: number) => `${grouped(count)} characters`;

/** A limit that no setting changes. */
export function limit(what: string, most: number | string, over: string): PublishedLimit {
  return { what, most: typeof most === 'number' ? grouped(most) : most, over, setting: 'no' };
}

/** A row of a Markdown table. */
export const limitRow = ({ what, most, over, setting }: PublishedLimit): string =>
  `| ${what} | ${most} | ${over} | ${setting} |`;

/** What answers to a request beyond a limit say. */
export const TOO_LARGE = '413 `413`';
/** More of something than allowed. */
export const TOO_MANY = '400 `400.1.4`';
/** Too long or too short. */
export const BAD_LENGTH = '400 `400.1.2`';
/** A list that is cut. */
export const FIRST_SHOWN = 'the first ones are shown, the others counted';
/** A value that is not allowed. */
export const ILLEGAL = '400 `400.1.3`';

/** A report that cannot be made. */
export const REPORT_ENDS = 'the report ends in `ERROR`';
