import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { usePageTexts, useSpeech } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { deliveriesQuery, type Webhook, type WebhookDelivery } from '../../service/settings/webhooks.ts';
import { Card } from '../../ui/card.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Refusal } from '../../ui/forms/refusal.tsx';
import link from '../../ui/link.module.css';
import table from '../../ui/tables/table.module.css';
import columns from '../columns.module.css';
import styles from './page.module.css';
import { Replay } from './replay.tsx';
import { WEBHOOK_TEXTS } from './texts.ts';

export interface DeliveriesProps {
  readonly webhook: Webhook;
  /** What has to be known or done first. */
  readonly children: ReactNode;
}

/** What a webhook has received, with a test and with what delivers again. */
export function Deliveries({ webhook: { id, name, enabled }, children }: DeliveriesProps) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const { queryKey } = deliveriesQuery(api, id);
  const deliveries = useQuery(deliveriesQuery(api, id));
  const test = useMutation({
    mutationFn: () => api.webhooks.test(id),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  return (
    <Card title={pageText('deliveries.of', { name })}>
      {children}
      <div className={styles['actions']}>
        <button
          type="button"
          className="button"
          aria-disabled={test.isPending}
          onClick={() => test.isPending || test.mutate()}
        >
          {pageText('test')}
        </button>
        <p role="status" className={columns['note']}>
          {test.isSuccess && pageText('tested')}
        </p>
      </div>
      {test.isError && <Refusal error={test.error} />}
      {deliveries.isError && <Failure error={deliveries.error} onRetry={deliveries.refetch} />}
      {deliveries.data?.length === 0 && (
        <p className={columns['note']}>
          {pageText('deliveries.none')} {pageText('deliveries.none.text')}
        </p>
      )}
      {deliveries.data !== undefined && deliveries.data.length > 0 && (
        <DeliveryTable webhookId={id} deliveries={deliveries.data} isAwaited={test.isSuccess} />
      )}
      {enabled && <Replay id={id} />}
    </Card>
  );
}

interface DeliveryTableProps {
  readonly webhookId: string;
  readonly deliveries: readonly WebhookDelivery[];
  /** Whether the first one was asked for here. */
  readonly isAwaited: boolean;
}

/** As many as leave the settings in reach below them. */
const SHOWN_FIRST = 8;

function DeliveryTable({ webhookId, deliveries, isAwaited }: DeliveryTableProps) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const [isWhole, setWhole] = useState(false);
  const body = useRef<HTMLTableSectionElement>(null);
  const [first] = deliveries;
  // It grows with its outcome.
  const awaited = isAwaited && first !== undefined ? `${first.id} ${first.state}` : null;
  useEffect(() => {
    if (awaited !== null) body.current?.rows[0]?.scrollIntoView({ block: 'nearest' });
  }, [awaited]);
  return (
    <div className={styles['scroll']}>
      <table className={`${table['table']} ${table['stacked']}`}>
        <caption className="away">{pageText('deliveries')}</caption>
        <thead>
          <tr>
            <th scope="col">{pageText('type')}</th>
            <th scope="col">{pageText('state')}</th>
            <th scope="col">
              <span className="away">{pageText('resend')}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {(isWhole ? deliveries : deliveries.slice(0, SHOWN_FIRST)).map((delivery) => (
            <Row key={delivery.id} webhookId={webhookId} delivery={delivery} />
          ))}
        </tbody>
      </table>
      <p className={columns['note']}>
        {pageText('deliveries.text')}{' '}
        {!isWhole && deliveries.length > SHOWN_FIRST && (
          <button type="button" className={link['link']} onClick={() => setWhole(true)}>
            {pageText('deliveries.all', { count: deliveries.length })}
          </button>
        )}
      </p>
    </div>
  );
}

const CLASSES = { PENDING: 'pending', SUCCEEDED: 'on', FAILED: 'off' } as const;

function Row({ webhookId, delivery }: { readonly webhookId: string; readonly delivery: WebhookDelivery }) {
  const { moment } = useSpeech();
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const resend = useMutation({
    mutationFn: () => api.webhooks.resend(webhookId, delivery.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesQuery(api, webhookId).queryKey }),
  });
  const { type, created, state, attempts, next } = delivery;
  const last = attempts.at(-1);
  return (
    <tr>
      <th scope="row" className={table['name']}>
        {type.replace(/^org\.access-admin\.(.*)\.v1$/, '$1')}
        <p className={columns['note']}>{moment(created)}</p>
      </th>
      <td>
        <span className={styles[CLASSES[state]]}>{pageText(state)}</span>{' '}
        {last !== undefined && (
          <span className={columns['note']} dir="auto">
            {pageText('attempts', { count: attempts.length })}
            {last.status === null ? `: ${last.error ?? ''}` : `: ${last.status}`}
          </span>
        )}
        {next !== null && last !== undefined && (
          <p className={columns['note']}>{pageText('next', { time: moment(next) })}</p>
        )}
        {resend.isError && <Refusal error={resend.error} />}
      </td>
      <td className={table['number']}>
        <button
          type="button"
          className="button"
          aria-disabled={resend.isPending}
          onClick={() => resend.isPending || resend.mutate()}
        >
          {pageText('resend')}
          <span className="away"> {type}</span>
        </button>
      </td>
    </tr>
  );
}
