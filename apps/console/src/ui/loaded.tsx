import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSpeech } from '../languages/context.tsx';
import { Failure } from './failure.tsx';

export interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isError' | 'refetch'>;
  readonly children: (data: Data) => ReactNode;
}

/** What a query has read. When it cannot be read again, the failure stands above it, and nothing that is typed in it is lost. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { text } = useSpeech();
  const { data, error, isError, refetch } = query;
  return (
    <>
      {isError && <Failure error={error} onRetry={refetch} />}
      {data === undefined ? !isError && <p>{text('state.loading')}</p> : children(data)}
    </>
  );
}
