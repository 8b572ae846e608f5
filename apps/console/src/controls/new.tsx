import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { controlsQuery } from '../service/controls.ts';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/forms/form.tsx';
import { Refusal } from '../ui/forms/refusal.tsx';
import { sortRefusals } from '../ui/forms/refusals.ts';
import { type ControlForm, FIELDS, Fields } from './fields.tsx';
import styles from './page.module.css';
import { CONTROL_TEXTS } from './texts.ts';

const EMPTY: ControlForm = { name: '', description: null, expiration: '30d', justificationRequired: false };

/** A control that is about to be created. */
export function NewControl() {
  const pageText = usePageTexts(CONTROL_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(EMPTY);
  const create = useMutation({
    mutationFn: async () => await api.controls.create(typed),
    onSuccess: () => {
      setTyped(EMPTY);
      return queries.invalidateQueries({ queryKey: controlsQuery(api).queryKey });
    },
  });
  const refusals = sortRefusals(create.error, FIELDS);
  const isShownAtFields = Object.keys(refusals.at).length > 0 && refusals.others.length === 0;
  return (
    <Card title={pageText('new')}>
      <Form label={pageText('new')} onSubmit={() => create.isPending || create.mutate()}>
        <Fields value={typed} refusals={refusals} onChange={(part) => setTyped({ ...typed, ...part })} />
        {create.isError && !isShownAtFields && <Refusal error={create.error} />}
        <p>
          <button type="submit" className="button main" aria-disabled={create.isPending}>
            {pageText('create')}
          </button>
        </p>
        <p role="status" className={styles['note']} dir="auto">
          {create.data !== undefined && pageText('created', { name: create.data.name })}
        </p>
      </Form>
    </Card>
  );
}
