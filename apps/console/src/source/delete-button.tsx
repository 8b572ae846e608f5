import type { Source } from '@access-admin/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { TOUCHED_BY_ACCOUNTS } from '../service/sources/queries.ts';
import { ConfirmButton } from '../ui/forms/confirm-button.tsx';
import { SOURCE_TEXTS } from './texts.ts';

/** Deletes a source with its accounts, and leads back to the list. */
export function DeleteButton({ source: { id, name } }: { readonly source: Source }) {
  const pageText = usePageTexts(SOURCE_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await api.sources.delete(id);
    await navigate({ to: '/sources' });
    for (const concern of TOUCHED_BY_ACCOUNTS) queries.invalidateQueries({ queryKey: [concern] });
  };
  return (
    <ConfirmButton label={pageText('delete')} question={pageText('delete.question', { name })} onConfirm={remove}>
      {pageText('delete.text')}
    </ConfirmButton>
  );
}
