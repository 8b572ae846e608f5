import { type AccessAdminClient, filter } from '@access-admin/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { partsOfIds } from '../service/id-parts.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import table from '../ui/tables/table.module.css';
import { MATRIX_TEXTS } from './texts.ts';

const SHOWN = 20;

/** The gravest open violations of some policies. */
const peopleOfQuery = (api: AccessAdminClient, policyIds: readonly string[]) =>
  queryOptions({
    queryKey: ['violations', 'people-of', policyIds],
    queryFn: ({ signal }) => {
      const filters = filter`status eq ${'Open'} and policyId in ${policyIds}`;
      return api.violations.page({ filters, sorters: '-level', limit: SHOWN, count: true, signal });
    },
  });

/** The open violations of some policies, each by the name of its identity, with a link to it. */
export function People({ policyIds }: { readonly policyIds: readonly string[] }) {
  const { text, day } = useSpeech();
  const pageText = usePageTexts(MATRIX_TEXTS);
  // One list is put in order by level: it is of as many policies as one request can name.
  const [named = []] = partsOfIds(policyIds);
  const found = useQuery(peopleOfQuery(useApi(), named));
  return (
    <Card title={text('nav.people')}>
      <Loaded query={found}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p>{pageText('people.none')}</p>
          ) : (
            <>
              <table className={`${table['table']} ${table['stacked']}`}>
                <thead>
                  <tr>
                    <th scope="col">{text('violations.person')}</th>
                    <th scope="col">{text('violations.policy')}</th>
                    <th scope="col">{text('violations.level')}</th>
                    <th scope="col">{text('violations.created')}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ id, target, policy, level, created }) => (
                    <tr key={id}>
                      <th scope="row" className={table['name']} dir="auto">
                        <Link to="/violations" search={{ policy: policy.id, status: 'Open', open: id }}>
                          {target.name}
                        </Link>
                      </th>
                      <td dir="auto">{policy.name}</td>
                      <td className={table['mark']}>
                        <LevelBadge level={level} />
                      </td>
                      <td className={table['whole']} data-label={text('violations.created')}>
                        {day(created)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {(total ?? 0) > items.length && (
                <p>{pageText('people.more', { count: items.length, all: total ?? 0 })}</p>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
