import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { deliveriesQuery, parseSequence } from '../../service/settings/webhooks.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Refusal } from '../../ui/forms/refusal.tsx';
import columns from '../columns.module.css';
import styles from './page.module.css';
import { WEBHOOK_TEXTS } from './texts.ts';

/** Delivers events again, as after an outage of the receiver. */
export function Replay({ id }: { readonly id: string }) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const sequence = parseSequence(typed === '' ? '0' : typed);
  const replay = useMutation({
    mutationFn: () => api.webhooks.replay(id, sequence ?? ''),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesQuery(api, id).queryKey }),
  });
  return (
    <details>
      <summary className={styles['summary']}>{pageText('replay')}</summary>
      <Form label={pageText('replay')} onSubmit={() => sequence === null || replay.isPending || replay.mutate()}>
        <TextField
          label={pageText('replay.after')}
          hint={pageText('replay.hint')}
          width="short"
          value={typed}
          errors={sequence === null ? [pageText('replay.wrong')] : []}
          onChange={setTyped}
        />
        {replay.isError && <Refusal error={replay.error} />}
        <div className={styles['actions']}>
          <button type="submit" className="button" aria-disabled={replay.isPending || sequence === null}>
            {pageText('replay.start')}
          </button>
          <p role="status" className={columns['note']}>
            {replay.isSuccess && pageText('replayed')}
          </p>
        </div>
      </Form>
    </details>
  );
}
