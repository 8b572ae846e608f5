import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { usePageTexts } from '../../languages/context.tsx';
import { useApi } from '../../service/api.tsx';
import { NEW_WEBHOOK, webhooksQuery } from '../../service/settings/webhooks.ts';
import { Card } from '../../ui/card.tsx';
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
  return (
    <div className={columns['beside']}>
      <Card title={pageText('webhooks')}>
        <p className={columns['note']}>{pageText('webhooks.text')}</p>
        <List />
        <p>
          <Link to="/settings/webhooks" search={{ webhook: NEW_WEBHOOK }} className="button">
            {pageText('new')}
          </Link>
        </p>
      </Card>
      {webhook === undefined && (
        <Card title={pageText('webhook')}>
          <p className={columns['note']}>{pageText('choose')}</p>
        </Card>
      )}
      {webhook === NEW_WEBHOOK && <NewWebhook />}
      {webhook !== undefined && webhook !== NEW_WEBHOOK && <Chosen key={webhook} id={webhook} />}
    </div>
  );
}

function List() {
  const pageText = usePageTexts(WEBHOOK_TEXTS);
  const { webhook } = useSearch({ from: '/settings/webhooks' });
  const webhooks = useQuery(webhooksQuery(useApi()));
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
