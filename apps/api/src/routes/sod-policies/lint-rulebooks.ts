import {
  changeLintRulebook,
  compileLintRulebook,
  type LintRulebook,
  lintRulebookBytes,
  type Steps,
} from '@access-admin/domain';
import type { RulebookVersion, SodStore } from '@access-admin/store';
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

/**
 * Loads one rulebook at a time, because each takes much memory; concurrent requests for one share it. The last one is kept: if
 * only some policies have changed since, which is the usual case, only those are read.
 */
export function createLintRulebooks({ sod, pace, keptBytesMax }: LintRulebooksDeps): LoadLintRulebook {
  const waiting = new Map<string, Promise<LintRulebook>>();
  let previous: Promise<void> = Promise.resolve();
  let kept: (Versioned & { readonly tenant: string }) | null = null;

  const run = <T>(tenant: string, steps: Steps<T>): Promise<T> => pace.run(pace.begin(tenant, null), steps);

  const update = async (tenant: string): Promise<Versioned | null> => {
    const known = kept?.tenant === tenant ? kept : null;
    const changes = known === null ? null : await sod.readPolicyChanges(tenant, known.version);
    if (known === null || changes === null) return null;
    const isSame = changes.upserts.length + changes.deletes.length === 0;
    const rulebook = isSame ? known.rulebook : await run(tenant, changeLintRulebook(known.rulebook, changes));
    return { version: changes, rulebook };
  };

  const compile = async (tenant: string): Promise<Versioned> => {
    // Releases the kept one first: two would take twice the memory.
    kept = null;
    const { policies, catalogue, ...version } = await sod.loadRulebook(tenant);
    return { version, rulebook: await run(tenant, compileLintRulebook(policies, catalogue)) };
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
    const loaded = previous.then(() => load(tenant));
    waiting.set(tenant, loaded);
    const done = () => {};
    previous = loaded.then(done, done);
    return loaded;
  };
}
