import { parseArgs } from 'node:util';
import type { Campaign, Engine } from '../campaign/campaign.ts';

const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];
const SEED_MAX = 0xffff_ffff;
const COUNT_MAX = 1_000_000_000;

/** A parsed command line. */
export interface Asked {
  /** Ids of campaigns. */
  readonly ids: readonly string[];
  /** Null for every engine of every campaign. */
  readonly engine: Engine | null;
  /** Null for a random one. */
  readonly seed: number | null;
  /** Counts by unit; they replace those of the campaigns. */
  readonly counts: Readonly<Record<string, number>>;
  readonly short: boolean;
  /** Whether the controls run too. */
  readonly control: boolean;
  /** The file for the results. */
  readonly json: string | null;
}

type Parsed = { readonly ok: true; readonly value: Asked } | { readonly ok: false; readonly failure: string };

/** Parses a command line; the failure describes what is wrong with it. */
export function parseArguments(args: readonly string[], known: readonly Campaign[]): Parsed {
  const units = [...new Set(known.map(({ unit }) => unit))];
  const read = readOptions(args, units);
  if (typeof read === 'string') return { ok: false, failure: read };
  const { values, positionals } = read;
  const campaigns = positionals.length === 0 ? known : known.filter(({ id }) => positionals.includes(id));
  const engine = ENGINES.find((name) => name === values['engine']) ?? null;
  const seed = numberOf(values['seed'], SEED_MAX);
  const given = units.flatMap((unit) => {
    const count = numberOf(values[unit], COUNT_MAX);
    return count === null ? [] : [[unit, count] as const];
  });

  const faults = positionals.filter((id) => !known.some((campaign) => campaign.id === id)).map(unknownCampaign);
  if (values['engine'] !== undefined && engine === null) faults.push(`--engine is one of ${ENGINES.join(', ')}`);
  if (engine !== null)
    for (const { id, engines } of positionals.length > 0 ? campaigns : [])
      if (!engines.includes(engine)) faults.push(`${id} does not run on ${engine}`);
  if (Number.isNaN(seed)) faults.push(`--seed is a whole number up to ${SEED_MAX}`);
  for (const [unit, count] of given) {
    if (!(count > 0)) faults.push(`--${unit} is a whole number from 1 to ${COUNT_MAX}`);
    if (!campaigns.some((campaign) => campaign.unit === unit)) faults.push(`no campaign asked for counts ${unit}`);
  }
  if (faults.length > 0) return { ok: false, failure: faults.join('; ') };
  const json = textOf(values['json']);
  const flags = { short: values['short'] === true, control: values['control'] === true };
  const ids = campaigns.map(({ id }) => id);
  return { ok: true, value: { ids, engine, seed, counts: Object.fromEntries(given), json, ...flags } };
}

/** The usage of the command, with all campaigns. */
export function usageOf(known: readonly Campaign[]): string {
  const lines = known.map(
    ({ id, title, unit, full, short, engines }) =>
      `  ${id.padEnd(4)}${title} (--${unit} ${full}, short ${short}; ${engines.join(', ')})`,
  );
  return [
    'usage: npm run proof -- [campaign …] [--engine sqlite|postgres] [--seed N] [--short] [--control] [--json FILE] [--<unit> N]',
    '',
    ...lines,
    '',
  ].join('\n');
}

type Values = Readonly<Record<string, unknown>>;

function readOptions(
  args: readonly string[],
  units: readonly string[],
): { readonly values: Values; readonly positionals: readonly string[] } | string {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const named = { engine: text, seed: text, json: text, short: flag, control: flag };
  const options = { ...Object.fromEntries(units.map((unit) => [unit, text])), ...named };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const unknownCampaign = (id: string): string => `there is no campaign ${id}`;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Null if absent, NaN if it is not a whole number up to `max`. */
function numberOf(value: unknown, max: number): number | null {
  const text = textOf(value);
  if (text === null) return null;
  return /^\d{1,10}$/.test(text) && Number(text) <= max ? Number(text) : Number.NaN;
}
