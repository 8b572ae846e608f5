import { useQuery } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { sourcesQuery } from '../service/sources/queries.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { NewSourceButton } from './new-source-button.tsx';
import { Rows } from './rows.tsx';
import { SOURCES_TEXTS } from './texts.ts';

/** The systems that accounts come from. */
export function SourcesPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(SOURCES_TEXTS);
  const sources = useQuery(sourcesQuery(useApi()));
  const { data } = sources;
  return (
    <>
      <Heading title={text('nav.sources')} ways={<NewSourceButton />}>
        <p>{pageText('about')}</p>
        <p role="status">
          {data === undefined
            ? sources.isPending && text('state.loading')
            : data.length > 0 && pageText('count', { count: data.length })}
        </p>
      </Heading>
      {sources.isError && <Failure error={sources.error} onRetry={sources.refetch} />}
      {data?.length === 0 && (
        <Empty title={pageText('empty')}>
          <p>{pageText('empty.text')}</p>
        </Empty>
      )}
      {data !== undefined && data.length > 0 && <Rows sources={data} />}
    </>
  );
}
