import { loadPeer } from '../../peers/load-peer.ts';
import type { World, WorldPolicy } from '../world/create-world.ts';
import { askedAccessOf, sidesOf } from './asked-access.ts';
import type { RulesEngine } from './engine.ts';

interface EntityUid {
  readonly type: string;
  readonly id: string;
}

interface Cedar {
  preparsePolicySet(id: string, policies: { readonly staticPolicies: Record<string, string> }): { type: string };
  statefulIsAuthorized(call: {
    readonly principal: EntityUid;
    readonly action: EntityUid;
    readonly resource: EntityUid;
    readonly context: object;
    readonly preparsedPolicySetId: string;
    readonly entities: readonly object[];
  }): {
    readonly type: string;
    readonly response?: { readonly decision: string; readonly diagnostics: { readonly reason: readonly string[] } };
  };
}

const GRANTED = 'granted';

/**
 * Each policy forbids the grant if the resulting access has items of both sides and the gained access has an item of one.
 * The policy set is parsed once; a refusal names all policies that forbid it.
 */
export async function createCedar(world: World): Promise<RulesEngine> {
  const { preparsePolicySet, statefulIsAuthorized } = await loadPeer<Cedar>('@cedar-policy/cedar-wasm/nodejs');
  const preparsedPolicySetId = `${world.policies.length}`;
  const policies = world.policies.map((policy) => [policy.id, textOf(policy)] as const);
  const staticPolicies = { [GRANTED]: 'permit(principal, action, resource);', ...Object.fromEntries(policies) };
  const parsed = preparsePolicySet(preparsedPolicySetId, { staticPolicies });
  if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed));

  const calls = askedAccessOf(world).map((context, question) => ({
    principal: { type: 'Identity', id: `${world.questions[question]?.identity}` },
    action: { type: 'Action', id: 'grant' },
    resource: { type: 'Tenant', id: 'acme' },
    context,
    preparsedPolicySetId,
    entities: [],
  }));
  const answer = (question: number): readonly string[] => {
    const call = calls[question];
    const answered = call && statefulIsAuthorized(call);
    if (answered?.response === undefined) throw new Error(JSON.stringify(answered));
    const { decision, diagnostics } = answered.response;
    return decision === 'deny' ? diagnostics.reason : [];
  };
  return { name: 'cedar-wasm', answer };
}

function textOf(policy: WorldPolicy): string {
  const { left, right } = sidesOf(policy);
  return `forbid(principal, action, resource) when {
    context.access.containsAny(${JSON.stringify(left)}) && context.access.containsAny(${JSON.stringify(right)}) &&
    context.gained.containsAny(${JSON.stringify([...left, ...right])})
  };`;
}
