import type { AccessRef } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import type { AccessRecord } from '../service/access/queries.ts';
import { AccessLink } from '../ui/access-link.tsx';
import { Card } from '../ui/card.tsx';
import table from '../ui/tables/table.module.css';
import styles from './page.module.css';
import { ACCESS_TEXTS } from './texts.ts';

export interface ContentProps {
  readonly type: AccessRef['type'];
  readonly record: AccessRecord;
}

/** What a role or an access profile contains, and what an entitlement permits. */
export function Content({ type, record: { content, grants } }: ContentProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(ACCESS_TEXTS);
  if (type === 'ENTITLEMENT')
    return (
      <Card title={pageText('grants')}>
        {grants.length === 0 ? (
          <p className={styles['muted']}>{pageText('grants.none')}</p>
        ) : (
          <Grants grants={grants} />
        )}
      </Card>
    );
  return (
    <Card title={pageText('content')}>
      {content.length === 0 ? (
        <p className={styles['muted']}>{pageText('content.none')}</p>
      ) : (
        <ul className={styles['items']}>
          {content.map((item) => (
            <li key={`${item.type} ${item.id}`}>
              <AccessLink of={item}>
                <bdi>{item.name}</bdi>
              </AccessLink>{' '}
              <span className={styles['muted']}>{text(`type.${item.type}`)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Grants({ grants }: Pick<AccessRecord, 'grants'>) {
  const pageText = usePageTexts(ACCESS_TEXTS);
  return (
    <table aria-label={pageText('grants')} className={`${table['table']} ${table['stacked']}`}>
      <thead>
        <tr>
          <th scope="col">{pageText('grants.action')}</th>
          <th scope="col">{pageText('grants.type')}</th>
          <th scope="col">{pageText('grants.resource')}</th>
        </tr>
      </thead>
      <tbody>
        {grants.map(({ action, resourceType, resourceId }) => (
          <tr key={`${action} ${resourceType} ${resourceId}`}>
            <th scope="row" className={table['name']} dir="auto">
              {action}
            </th>
            <td dir="auto" data-label={pageText('grants.type')}>
              {resourceType}
            </td>
            <td dir="auto" data-label={pageText('grants.resource')}>
              {resourceId}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
