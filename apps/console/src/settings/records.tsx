import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import columns from './columns.module.css';

export interface RecordsProps<Item> {
  readonly found: UseQueryResult<readonly Item[]>;
  /** What is shown where there are none. */
  readonly none: { readonly title: string; readonly text: string };
  /** The link to a record. */
  readonly children: (item: Item) => ReactNode;
}

/** The records of a section, each as a link. */
export function Records<Item extends { readonly id: string }>({ found, none, children }: RecordsProps<Item>) {
  const { text } = useSpeech();
  if (found.isError) return <Failure error={found.error} onRetry={found.refetch} />;
  if (found.data === undefined) return <p role="status">{text('state.loading')}</p>;
  if (found.data.length === 0)
    return (
      <Empty title={none.title}>
        <p>{none.text}</p>
      </Empty>
    );
  return (
    <ul className={columns['list']}>
      {found.data.map((item) => (
        <li key={item.id}>{children(item)}</li>
      ))}
    </ul>
  );
}
