import { loadPeer } from '../../peers/load-peer.ts';
import type { World } from '../world/create-world.ts';
import { askedAccessOf, sidesOf } from './asked-access.ts';
import type { RulesEngine } from './engine.ts';

interface Enforcer {
  addPolicies(rules: readonly (readonly string[])[]): Promise<boolean>;
  addFunction(name: string, call: (access: ReadonlySet<string>, side: string) => boolean): Promise<void>;
  setEffector(effector: { newStream(): EffectorStream }): void;
  enforceSync(...request: readonly unknown[]): boolean;
}

interface EffectorStream {
  current(): boolean;
  /** Returns whether to grant so far, whether this policy explains it, and whether to stop. */
  pushEffect(effect: number): readonly [boolean, boolean, boolean];
}

interface Casbin {
  newModelFromString(text: string): object;
  newEnforcer(model: object): Promise<Enforcer>;
  readonly Effect: { readonly Deny: number };
}

const MODEL = `
[request_definition]
r = access, gained
[policy_definition]
p = id, left, right, eft
[policy_effect]
e = !some(where (p.eft == deny))
[matchers]
m = touches(r.access, p.left) && touches(r.access, p.right) && (touches(r.gained, p.left) || touches(r.gained, p.right))
`;

/**
 * Each policy denies by a custom function on sets. The library stops at the first policy that explains a refusal; a
 * custom effector, its extension point, continues and collects all of them.
 */
export async function createCasbin(world: World): Promise<RulesEngine> {
  const { newModelFromString, newEnforcer, Effect } = await loadPeer<Casbin>('casbin');
  const enforcer = await newEnforcer(newModelFromString(MODEL));
  const idsBySide = new Map<string, readonly string[]>();
  const sideOf = (ids: readonly string[]) => {
    const side = ids.join(' ');
    idsBySide.set(side, ids);
    return side;
  };
  await enforcer.addPolicies(
    world.policies.map((policy) => {
      const { left, right } = sidesOf(policy);
      return [policy.id, sideOf(left), sideOf(right), 'deny'];
    }),
  );
  await enforcer.addFunction('touches', (access, side) => idsBySide.get(side)?.some((id) => access.has(id)) ?? false);
  let denying: string[] = [];
  enforcer.setEffector({
    newStream: () => {
      let at = 0;
      denying = [];
      return {
        current: () => denying.length === 0,
        pushEffect: (effect) => {
          const policy = world.policies[at++];
          if (effect === Effect.Deny && policy !== undefined) denying.push(policy.id);
          return [denying.length === 0, false, false];
        },
      };
    },
  });

  const requests = askedAccessOf(world).map(({ access, gained }) => [new Set(access), new Set(gained)] as const);
  const answer = (question: number): readonly string[] =>
    enforcer.enforceSync(...(requests[question] ?? [])) ? [] : denying;
  return { name: 'node-casbin', answer };
}
