import { PreconditionFailedError } from '@access-admin/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { PolicyVersion } from '../service/policy/edit.ts';
import { policyQuery } from '../service/policy/queries.ts';
import { ConfirmButton } from '../ui/forms/confirm-button.tsx';
import { POLICY_TEXTS } from './texts.ts';

/** Deletes the version of a policy that the page shows, once it is confirmed. */
export function DeleteButton({ version: { policy, etag } }: { readonly version: PolicyVersion }) {
  const pageText = usePageTexts(POLICY_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { queryKey } = policyQuery(api, policy.id);
  const remove = async () => {
    try {
      await api.sodPolicies.delete(policy.id, { ifMatch: etag });
    } catch (error) {
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey });
      throw error;
    }
    await navigate({ to: '/policies', ignoreBlocker: true });
    queries.removeQueries({ queryKey });
    queries.invalidateQueries({ queryKey: ['policies'] });
    queries.invalidateQueries({ queryKey: ['violations'] });
  };
  return (
    <ConfirmButton
      label={pageText('delete')}
      question={pageText('delete.title')}
      failed={pageText('delete.failed')}
      onConfirm={remove}
      explain={(error) => (isOutdated(error) ? pageText('delete.changed') : null)}
    >
      {pageText('delete.text', { name: policy.name })}
    </ConfirmButton>
  );
}

const isOutdated = (error: unknown): boolean => error instanceof PreconditionFailedError;
