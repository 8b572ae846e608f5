import { PreconditionFailedError } from '@access-admin/client';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import dialog from '../action/dialog.module.css';
import { usePageTexts } from '../languages/context.tsx';
import button from '../parts/button.module.css';
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
  return (
    <AlertDialog.Root onOpenChange={() => remove.reset()}>
      <AlertDialog.Trigger className={button['button']}>{pageText('delete')}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={dialog['veil']} />
        <AlertDialog.Popup className={dialog['dialog']}>
          <AlertDialog.Title className={dialog['title']}>{pageText('delete.title')}</AlertDialog.Title>
          <AlertDialog.Description dir="auto">{pageText('delete.text', { name: policy.name })}</AlertDialog.Description>
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
            <AlertDialog.Close className={button['button']}>{pageText('cancel')}</AlertDialog.Close>
          </p>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
