import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { disablingsQuery, type Webhook, webhookQuery, webhooksQuery } from '../../service/settings/webhooks.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { patchOf } from '../../ui/forms/changes.ts';
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { sortRefusals } from '../../ui/forms/refusals.ts';
import { SaveBar } from '../../ui/forms/save-bar.tsx';
import { Secret } from '../../ui/forms/secret.tsx';
import { useDraft, type Versioned } from '../../ui/forms/use-draft.ts';
import columns from '../columns.module.css';
import { Deliveries } from './deliveries.tsx';
import { SettingFields } from './fields.tsx';
import styles from './page.module.css';
import { WEBHOOK_TEXTS } from './texts.ts';

export interface ChosenProps {
  readonly id: string;
  /** The secret of one that was just created, to be kept now; null for any other. */
  readonly firstSecret: string | null;
}

/** One webhook: what it has received, its settings and its secret. */
export function Chosen({ id, firstSecret }: ChosenProps) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const webhook = useQuery(webhookQuery(useApi(), id));
  const [isNew, setNew] = useState(true);
  return (
    <div className={columns['stack']}>
      {webhook.isError && <Failure error={webhook.error} onRetry={webhook.refetch} />}
      {webhook.data !== undefined && (
        <>
          <Deliveries webhook={webhook.data.value}>
            {firstSecret !== null && isNew && (
              <Secret
                title={pageText('created')}
                text={pageText('secret.text')}
                values={{ [pageText('secret')]: firstSecret }}
                onDone={() => setNew(false)}
              />
            )}
            {!webhook.data.value.enabled && <Disabled webhook={webhook.data.value} />}
          </Deliveries>
          <Card title={pageText('settings')}>
            <Editor webhook={webhook.data} />
            <Actions webhook={webhook.data} />
          </Card>
        </>
      )}
    </div>
  );
}

/** Why a webhook receives nothing, and what to do. */
function Disabled({ webhook }: { readonly webhook: Webhook }) {
  const { moment } = useSpeech();
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const disablings = useQuery(disablingsQuery(useApi()));
  const last = disablings.data?.[webhook.id];
  return (
    <div className={styles['disabled']} role="status">
      <p className={columns['name']}>{pageText('disabled')}</p>
      {last === undefined ? (
        <p>{pageText('disabled.by-hand')}</p>
      ) : (
        <p>
          {pageText('disabled.at', { time: moment(last.time) })} <q dir="auto">{last.reason}</q>
        </p>
      )}
      <p>{pageText('disabled.what')}</p>
    </div>
  );
}

function Editor({ webhook }: { readonly webhook: Versioned<Webhook> }) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const api = useApi();
  const { id, name } = webhook.value;
  const draft = useDraft({
    read: webhook,
    // The list shows the name and the state, so it is read again too.
    queryKey: webhooksQuery(api).queryKey,
    save: (changes, ifMatch) => api.webhooks.patch(id, patchOf(changes), { ifMatch }),
  });
  const labels = {
    name: pageText('name'),
    url: pageText('url'),
    types: pageText('types'),
    format: pageText('format'),
    enabled: pageText('enabled'),
  };
  const refusals = sortRefusals(draft.error, Object.keys(labels));
  return (
    <Form label={name} onSubmit={draft.save}>
      <SettingFields value={draft.value} refusals={refusals} onChange={draft.change} />
      <SaveBar draft={draft} labels={labels} refusals={refusals} />
    </Form>
  );
}

function Actions({ webhook: { value, etag } }: { readonly webhook: Versioned<Webhook> }) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string | null>(null);
  const { queryKey } = webhooksQuery(api);
  const remove = async () => {
    await api.webhooks.delete(value.id, { ifMatch: etag });
    await navigate({ to: '/settings/webhooks', search: {} });
    queries.removeQueries({ queryKey: webhookQuery(api, value.id).queryKey });
    await queries.invalidateQueries({ queryKey });
  };
  const rotate = async () => {
    setSecret((await api.webhooks.rotateSecret(value.id)).secret);
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <>
      {secret !== null && (
        <Secret
          title={pageText('rotated')}
          text={pageText('rotated.text')}
          values={{ [pageText('secret')]: secret }}
          onDone={() => setSecret(null)}
        />
      )}
      <div className={styles['actions']}>
        <ConfirmButton label={pageText('rotate')} question={pageText('rotate.question')} onConfirm={rotate}>
          {pageText('rotate.text')}
        </ConfirmButton>
        <ConfirmButton
          label={pageText('delete')}
          question={pageText('delete.question', { name: value.name })}
          onConfirm={remove}
        >
          {pageText('delete.text')}
        </ConfirmButton>
      </div>
    </>
  );
}
