import { PreconditionFailedError } from '@access-admin/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useApi } from '../service/api.tsx';
import { policyOf } from '../service/policy/draft.ts';
import type { Edit, PolicyVersion } from '../service/policy/edit.ts';
import { policyQuery } from '../service/policy/queries.ts';

/** Saves an edit, unless a newer version of the policy has been saved since it began. */
export function useSave({ base, draft }: Edit) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (): Promise<PolicyVersion> => {
      const policy = policyOf(draft, base?.policy ?? null);
      const call =
        base === null
          ? api.sodPolicies.create(policy)
          : api.sodPolicies.replace(base.policy.id, policy, { ifMatch: base.etag });
      const { value, etag } = await call.withETag();
      return { policy: value, etag };
    },
    onSuccess: async (saved) => {
      const { id } = saved.policy;
      queries.setQueryData(policyQuery(api, id).queryKey, saved);
      queries.invalidateQueries({ queryKey: ['policies'] });
      queries.invalidateQueries({ queryKey: ['violations'] });
      if (base === null) await navigate({ to: '/policies/$id', params: { id }, ignoreBlocker: true });
    },
    onError: async (error) => {
      // The version that is there now is shown beside the edit.
      if (base !== null && error instanceof PreconditionFailedError)
        await queries.invalidateQueries({ queryKey: policyQuery(api, base.policy.id).queryKey });
    },
  });
}
