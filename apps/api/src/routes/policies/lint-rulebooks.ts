import {
  type Catalogue,
  changeLintRulebook,
  createLintCompiler,
  type EvaluatedPolicy,
  type LintRulebook,
  lintRulebookBytes,
  sortById,
} from '@access-admin/domain';
import type { RulebookVersion, SodStore } from '@access-admin/store';
import { compileCatalogue, inParts, type Pause } from '@access-admin/store';
import type { Pace } from '../../event-loop/pace.ts';

export interface LintRulebooksDeps {
  readonly sod: Pick<SodStore, 'loadRulebook' | 'readPolicyChanges'>;
  readonly pace: Pace;
  /** The largest rulebook that is kept for the next request. */
  readonly keptBytesMax: number;
}

/** Loads the rulebook of a tenant with everything committed before the call. */
export type LoadLintRulebook = (tenant: string) => Promise<LintRulebook>;

interface Versioned {
  readonly version: RulebookVersion;
  readonly rulebook: LintRulebook;
}

/** Rulebooks that are loaded at the same time, each of another tenant. Each takes much memory. */
const LOADS_MAX = 2;

/**
 * Loads one rulebook of a tenant at a time; concurrent requests for it share it. Tenants are served in the order of their
 * requests. The last rulebook is kept: if only some policies have changed since, which is the usual case, only those are read.
 */
export function createLintRulebooks({ sod, pace, keptBytesMax }: LintRulebooksDeps): LoadLintRulebook {
  const waiting = new Map<string, Promise<LintRulebook>>();
  const runInOrder = createOrderedLoads();
  let kept: (Versioned & { readonly tenant: string }) | null = null;

  const update = async (tenant: string): Promise<Versioned | null> => {
    const known = kept?.tenant === tenant ? kept : null;
    const changes = known === null ? null : await sod.readPolicyChanges(tenant, known.version);
    if (known === null || changes === null) return null;
    const isSame = changes.upserts.length + changes.deletes.length === 0;
    const rulebook = isSame ? known.rulebook : changeLintRulebook(known.rulebook, changes);
    return { version: changes, rulebook };
  };

  const compile = async (tenant: string): Promise<Versioned> => {
    // Releases the kept one first: two would take twice the memory.
    kept = null;
    const { policies, catalogue, ...version } = await sod.loadRulebook(tenant);
    const pause = pace.pauses(pace.begin(tenant, null));
    return { version, rulebook: await compileInParts(policies, catalogue, pause) };
  };

  const load = async (tenant: string): Promise<LintRulebook> => {
    // This load may miss later commits: later requests wait for the next one.
    waiting.delete(tenant);
    const { version, rulebook } = (await update(tenant)) ?? (await compile(tenant));
    const { policySetVersion, changeId } = version;
    const isKept = lintRulebookBytes(rulebook) <= keptBytesMax;
    kept = isKept ? { tenant, version: { policySetVersion, changeId }, rulebook } : null;
    return rulebook;
  };

  return (tenant) => {
    const joined = waiting.get(tenant);
    if (joined !== undefined) return joined;
    const loaded = runInOrder(tenant, () => load(tenant));
    waiting.set(tenant, loaded);
    return loaded;
  };
}

async function compileInParts(
  policies: readonly EvaluatedPolicy[],
  catalogue: Catalogue,
  pause: Pause,
): Promise<LintRulebook> {
  const compiler = createLintCompiler(await compileCatalogue(catalogue, pause));
  for (const roles of inParts(sortById(catalogue.roles))) {
    compiler.addRoles(roles);
    await pause();
  }
  for (const part of inParts(sortById(policies))) {
    compiler.addPolicies(part);
    await pause();
  }
  return compiler.finish();
}

/** Runs loads in their order: those of a tenant one after the other, and `LOADS_MAX` at most at the same time. */
function createOrderedLoads() {
  const latest = new Map<string, Promise<void>>();
  const queue: (() => void)[] = [];
  let free = LOADS_MAX;
  const run = async <T>(load: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await load();
    } finally {
      const next = queue.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
  return <T>(tenant: string, load: () => Promise<T>): Promise<T> => {
    const previous = latest.get(tenant) ?? Promise.resolve();
    const loaded = previous.then(() => run(load));
    const end = () => {
      if (latest.get(tenant) === ended) latest.delete(tenant);
    };
    const ended: Promise<void> = loaded.then(end, end);
    latest.set(tenant, ended);
    return loaded;
  };
}
