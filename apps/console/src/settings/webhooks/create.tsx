import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { webhooksQuery } from '../../service/settings/webhooks.ts';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Refusal } from '../../ui/forms/refusal.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { Secret } from '../../ui/forms/secret.tsx';
import { SettingFields, type WebhookForm } from './fields.tsx';
import { WEBHOOK_TEXTS } from './texts.ts';

const EMPTY: WebhookForm = { name: '', url: '', types: ['sod.violation.*'], enabled: true };

/** A webhook that is about to be created. Its secret is shown once. */
export function NewWebhook() {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(EMPTY);
  const create = useMutation({
    mutationFn: async () => await api.webhooks.create(typed),
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksQuery(api).queryKey }),
  });
  const refusals = sortRefusals(create.error, Object.keys(EMPTY));
  if (create.data !== undefined)
    return (
      <Card title={create.data.name}>
        <Secret
          title={pageText('created')}
          text={pageText('secret.text')}
          values={{ [pageText('secret')]: create.data.secret }}
          onDone={() => {
            setTyped(EMPTY);
            create.reset();
          }}
        />
        <p>
          <Link to="/settings/webhooks" search={{ webhook: create.data.id }}>
            {pageText('open')}
          </Link>
        </p>
      </Card>
    );
  return (
    <Card title={pageText('new')}>
      <Form label={pageText('new')} onSubmit={() => create.mutate()}>
        <SettingFields value={typed} refusals={refusals} onChange={(part) => setTyped({ ...typed, ...part })} />
        {create.isError && (Object.keys(refusals.at).length === 0 || refusals.others.length > 0) && (
          <Refusal error={create.error} />
        )}
        <p>
          <button type="submit" className="button main" disabled={create.isPending}>
            {pageText('create')}
          </button>
        </p>
      </Form>
    </Card>
  );
}
