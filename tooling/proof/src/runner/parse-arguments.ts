import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '@access-admin/domain';
import type { Campaign, Engine } from '../campaign/campaign.ts';

const ENGINES: readonly Engine[] = ['sqlite', 'postgres', 'citus'];
const SEED_MAX = 0xffff_ffff;
const COUNT_MAX = 1_000_000_000;

/** A parsed command line. */
export interface Asked {
  /** Ids of campaigns. */
  readonly ids: readonly string[];
  /** The parts that are asked for, by campaign; a campaign that is not named runs as a whole. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
  /** Null for every engine of every campaign. */
  readonly engine: Engine | null;
  /** Null for a random one. */
  readonly seed: number | null;
  /** Counts by unit; they replace those of the campaigns. */
  readonly counts: Readonly<Record<string, number>>;
  readonly short: boolean;
  /** Whether the controls run too. */
  readonly control: boolean;
  /** The git ref of the version to upgrade from. */
  readonly from: string | null;
  /** The file for the results. */
  readonly json: string | null;
}

/** Parses a command line; the failure describes what is wrong with it. */
export function parseArguments(args: readonly string[], known: readonly Campaign[]): Result<Asked, string> {
  const units = [...new Set(known.map(({ unit }) => unit))];
  const read = readOptions(args, units);
  if (!read.ok) return read;
  const { values, positionals } = read.value;
  const given: Readonly<Record<string, unknown>> = values;
  const asked = positionals.map((name) => name.split('.', 2));
  const campaigns = known.filter(({ id }) => asked.length === 0 || asked.some(([name]) => name === id));
  const parts: Record<string, readonly string[]> = {};
  for (const [id = '', part] of asked) if (part !== undefined) parts[id] = [...(parts[id] ?? []), part];
  const engine = ENGINES.find((name) => name === values['engine']) ?? null;
  const seed = parseNumber(values['seed'], SEED_MAX);
  const counts = Object.fromEntries(
    units.filter((unit) => given[unit] !== undefined).map((unit) => [unit, parseNumber(given[unit], COUNT_MAX) ?? 0]),
  );

  const failures = positionals.filter((name) => !isKnown(name, known)).map((name) => `there is no campaign ${name}`);
  if (values['engine'] !== undefined && engine === null) failures.push(`--engine is one of ${ENGINES.join(', ')}`);
  for (const { id, engines } of positionals.length > 0 && engine !== null ? campaigns : [])
    if (!engines.includes(engine ?? 'sqlite')) failures.push(`${id} does not run on ${engine}`);
  if (Number.isNaN(seed)) failures.push(`--seed is a whole number up to ${SEED_MAX}`);
  for (const [unit, count] of Object.entries(counts)) {
    if (!(count > 0)) failures.push(`--${unit} is a whole number from 1 to ${COUNT_MAX}`);
    if (!campaigns.some((campaign) => campaign.unit === unit)) failures.push(`no campaign asked for counts ${unit}`);
  }
  if (failures.length > 0) return fail(failures.join('; '));
  const { short = false, control = false, from = null, json = null } = values;
  return ok({ ids: campaigns.map(({ id }) => id), parts, engine, seed, counts, short, control, from, json });
}

/** The usage of the command, with all campaigns. */
export function usageOf(known: readonly Campaign[]): string {
  const lines = known.map(
    ({ id, title, unit, full, short, engines }) =>
      `  ${id.padEnd(4)}${title} (--${unit} ${full}, short ${short}; ${engines.join(', ')})`,
  );
  return [
    'usage: npm run proof -- [campaign or campaign.part …] [--engine sqlite|postgres|citus] [--seed N] [--short] [--control] [--from REF] [--json FILE] [--<unit> N]',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** Whether this names a campaign, such as `F1`, or one of its parts, such as `N1.4`. */
const isKnown = (name: string, known: readonly Campaign[]): boolean =>
  known.some(({ id, parts = [] }) => name === id || parts.some((part) => name === `${id}.${part}`));

function readOptions(args: readonly string[], units: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const named = { engine: text, seed: text, from: text, json: text, short: flag, control: flag };
  const options = { ...Object.fromEntries(units.map((unit) => [unit, text])), ...named };
  try {
    return ok(parseArgs({ args: [...args], options, allowPositionals: true }));
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** Null if absent, NaN if it is not a whole number up to `max`. */
function parseNumber(text: unknown, max: number): number | null {
  if (typeof text !== 'string') return null;
  return /^\d{1,10}$/.test(text) && Number(text) <= max ? Number(text) : Number.NaN;
}
