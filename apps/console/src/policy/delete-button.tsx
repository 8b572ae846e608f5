import { PreconditionFailedError } from '@access-admin/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import dialog from '../parts/dialogs/alert.module.css';
import { Alert } from '../parts/dialogs/alert.tsx';
import { Failure } from '../parts/failure.tsx';
import { useApi } from '../service/api.tsx';
import type { PolicyVersion } from '../service/policy/edit.ts';
import { policyQuery } from '../service/policy/queries.ts';
import { POLICY_TEXTS } from './texts.ts';

/** Deletes a policy once somebody has confirmed it, and only the version that they see. */
export function DeleteButton({ version: { policy, etag } }: { readonly version: PolicyVersion }) {
  const pageText = usePageTexts(POLICY_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { queryKey } = policyQuery(api, policy.id);
  const remove = useMutation({
    mutationFn: () => api.sodPolicies.delete(policy.id, { ifMatch: etag }),
    onSuccess: async () => {
      await navigate({ to: '/policies', ignoreBlocker: true });
      queries.removeQueries({ queryKey });
      queries.invalidateQueries({ queryKey: ['policies'] });
      queries.invalidateQueries({ queryKey: ['violations'] });
    },
    onError: (error) => error instanceof PreconditionFailedError && queries.invalidateQueries({ queryKey }),
  });
  const toggle = (next: boolean) => {
    setOpen(next);
    remove.reset();
  };
  return (
    <>
      <button type="button" className={button['button']} onClick={() => toggle(true)}>
        {pageText('delete')}
      </button>
      <Alert
        isOpen={isOpen}
        title={pageText('delete.title')}
        text={pageText('delete.text', { name: policy.name })}
        onClose={() => toggle(false)}
      >
        {remove.error instanceof PreconditionFailedError && <p role="alert">{pageText('delete.changed')}</p>}
        {remove.isError && !(remove.error instanceof PreconditionFailedError) && (
          <Failure error={remove.error} title={pageText('delete.failed')} onRetry={() => remove.mutate()} />
        )}
        <p className={dialog['ways']}>
          <button
            type="button"
            className={`${button['button']} ${button['main']}`}
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {pageText('delete')}
          </button>
          <button type="button" className={button['button']} onClick={() => toggle(false)}>
            {pageText('cancel')}
          </button>
        </p>
      </Alert>
    </>
  );
}
