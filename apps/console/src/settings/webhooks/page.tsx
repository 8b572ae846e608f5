import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { type CreatedWebhook, NEW_WEBHOOK, type Webhook, webhooksQuery } from '../../service/settings/webhooks.ts';
import { Card } from '../../ui/card.tsx';
import { Beside } from '../beside.tsx';
import columns from '../columns.module.css';
import { Records } from '../records.tsx';
import { Chosen } from './chosen.tsx';
import { NewWebhook } from './create.tsx';
import styles from './page.module.css';
import { WEBHOOK_TEXTS } from './texts.ts';

/** Receivers of events: the list, and one of them in full. */
export function WebhooksSection() {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const { webhook } = useSearch({ from: '/settings/webhooks' });
  const webhooks = useQuery(webhooksQuery(useApi()));
  const navigate = useNavigate();
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  const open = (next: CreatedWebhook) => {
    setCreated(next);
    navigate({ to: '/settings/webhooks', search: { webhook: next.id } });
  };
  // The first one is what there is to do here.
  if (webhooks.data?.length === 0)
    return (
      <div className={styles['first']}>
        <NewWebhook isFirst onCreated={open} />
      </div>
    );
  return (
    <Beside
      isChosen={webhook !== undefined}
      list={
        <Card title={pageText('webhooks')}>
          <p className={columns['note']}>{pageText('webhooks.text')}</p>
          <List webhooks={webhooks} />
          <p>
            <Link to="/settings/webhooks" search={{ webhook: NEW_WEBHOOK }} className="button main">
              {pageText('new')}
            </Link>
          </p>
        </Card>
      }
      back={
        <Link to="/settings/webhooks" search={{}}>
          {pageText('all')}
        </Link>
      }
    >
      {webhook === undefined && (
        <Card title={pageText('webhook')}>
          <p className={columns['note']}>{pageText('choose')}</p>
        </Card>
      )}
      {webhook === NEW_WEBHOOK && <NewWebhook onCreated={open} />}
      {webhook !== undefined && webhook !== NEW_WEBHOOK && (
        <Chosen key={webhook} id={webhook} firstSecret={created?.id === webhook ? created.secret : null} />
      )}
    </Beside>
  );
}

function List({ webhooks }: { readonly webhooks: UseQueryResult<readonly Webhook[]> }) {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const { webhook } = useSearch({ from: '/settings/webhooks' });
  return (
    <Records found={webhooks} none={{ title: pageText('none'), text: pageText('none.text') }}>
      {({ id, name, url, enabled }) => (
        <Link
          to="/settings/webhooks"
          search={{ webhook: id }}
          resetScroll={false}
          aria-current={webhook === id ? 'true' : undefined}
        >
          <span dir="auto" className={columns['name']}>
            {name}
          </span>
          <span className={columns['note']}>{hostOf(url)}</span>
          <span className={enabled ? styles['on'] : styles['off']}>{pageText(enabled ? 'on' : 'off')}</span>
        </Link>
      )}
    </Records>
  );
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
