import {
  type Catalogue,
  changeLintRulebook,
  createLintCompiler,
  type EvaluatedPolicy,
  type LintRulebook,
  lintRulebookBytes,
  sortById,
} from '@access-admin/domain';
import { createSemaphore } from '@access-admin/scheduling';
import type { RulebookVersion, SodStore } from '@access-admin/store';
import { compileCatalogue, inParts, type Pause } from '@access-admin/store';
import type { Jobs } from '../../event-loop/jobs.ts';

export interface LintRulebooksDeps {
  readonly sod: Pick<SodStore, 'loadRulebook' | 'readPolicyChanges'>;
  readonly jobs: Jobs;
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
 * Loads one rulebook of a tenant at a time; concurrent requests for it share it. Tenants are served in turn.
 * The last rulebook is kept: if only some policies have changed since, which is the usual case, only those are read.
 */
export function createLintRulebooks({ sod, jobs, keptBytesMax }: LintRulebooksDeps): LoadLintRulebook {
  const waiting = new Map<string, Promise<LintRulebook>>();
  const loads = createSemaphore({ capacity: LOADS_MAX, tenantMax: 1, elapsed: jobs.elapsed });
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
    const pause = jobs.pauseOf(jobs.begin(tenant, null));
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

  const loadWithSlot = async (tenant: string): Promise<LintRulebook> => {
    const slot = loads.open(tenant);
    await slot.acquire();
    try {
      return await load(tenant);
    } finally {
      slot.release();
    }
  };

  return (tenant) => {
    const joined = waiting.get(tenant);
    if (joined !== undefined) return joined;
    const loaded = loadWithSlot(tenant);
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
