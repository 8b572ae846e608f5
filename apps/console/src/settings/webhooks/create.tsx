import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { type CreatedWebhook, webhooksQuery } from '../../service/settings/webhooks.ts';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Refusal } from '../../ui/forms/refusal.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import columns from '../columns.module.css';
import { SettingFields, type WebhookForm } from './fields.tsx';
import { WEBHOOK_TEXTS } from './texts.ts';

const EMPTY: WebhookForm = { name: '', url: '', types: ['sod.violation.*'], format: 'cloudevents', enabled: true };

export interface NewWebhookProps {
  /** Whether there is none yet. */
  readonly isFirst?: boolean;
  readonly onCreated: (created: CreatedWebhook) => void;
}

/** A webhook that is about to be created. */
export function NewWebhook({ isFirst = false, onCreated }: NewWebhookProps) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(EMPTY);
  const create = useMutation({
    mutationFn: async () => await api.webhooks.create(typed),
    onSuccess: (created) => {
      onCreated(created);
      return queries.invalidateQueries({ queryKey: webhooksQuery(api).queryKey });
    },
  });
  const refusals = sortRefusals(create.error, Object.keys(EMPTY));
  return (
    <Card title={pageText('new')}>
      {isFirst && (
        <p className={columns['note']}>
          {pageText('none')} {pageText('none.text')} {pageText('webhooks.text')}
        </p>
      )}
      <Form label={pageText('new')} onSubmit={() => create.isPending || create.mutate()}>
        <SettingFields value={typed} refusals={refusals} onChange={(part) => setTyped({ ...typed, ...part })} />
        {create.isError && (Object.keys(refusals.at).length === 0 || refusals.others.length > 0) && (
          <Refusal error={create.error} />
        )}
        <p>
          <button type="submit" className="button main" aria-disabled={create.isPending}>
            {pageText('create')}
          </button>
        </p>
      </Form>
    </Card>
  );
}
