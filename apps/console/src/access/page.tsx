import { type AccessRef, type CurrentSession, NotFoundError } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { HistoryLink } from '../history/link.tsx';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { type AccessRecord, accessRecordQuery } from '../service/access/queries.ts';
import { useApi } from '../service/api.tsx';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { writeRef } from '../service/what-if-search.ts';
import { Failure } from '../ui/failure.tsx';
import { Heading } from '../ui/heading.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { Content } from './content.tsx';
import { Holders } from './holders.tsx';
import styles from './page.module.css';
import { Policies } from './policies.tsx';
import { Possible } from './possible.tsx';
import { ACCESS_TEXTS } from './texts.ts';

/** The page of a role. */
export const RolePage = () => <Page of={{ type: 'ROLE', id: useParams({ from: '/roles/$id' }).id }} />;

/** The page of an access profile. */
export const AccessProfilePage = () => (
  <Page of={{ type: 'ACCESS_PROFILE', id: useParams({ from: '/access-profiles/$id' }).id }} />
);

/** The page of an entitlement. */
export const EntitlementPage = () => (
  <Page of={{ type: 'ENTITLEMENT', id: useParams({ from: '/entitlements/$id' }).id }} />
);

interface PageProps {
  readonly of: AccessRef;
}

/** The page of a role, an access profile or an entitlement: content, holders, possible holders and policies. */
function Page({ of }: PageProps) {
  const session = useQuery(sessionQuery(useApi()));
  if (session.data === undefined) return null;
  const missing = missingRight('people', session.data);
  if (missing === null) return <Found key={writeRef(of)} of={of} me={session.data} />;
  return (
    <>
      <Heading title={of.id} />
      <MissingRight needed={missing} />
    </>
  );
}

interface FoundProps extends PageProps {
  readonly me: CurrentSession;
}

function Found({ of, me }: FoundProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(ACCESS_TEXTS);
  const record = useQuery(accessRecordQuery(useApi(), of));
  if (record.error instanceof NotFoundError)
    return (
      <Heading title={pageText('unknown')}>
        <p>{pageText('unknown.text')}</p>
      </Heading>
    );
  const { data } = record;
  return (
    <>
      <Heading
        title={data?.name ?? of.id}
        ways={
          <>
            <HistoryLink id={of.id} type={of.type} />
            {missingRight('what-if', me) === null && (
              <Link
                to="/what-if"
                search={{ access: [writeRef(of)] }}
                className="button"
                title={pageText('what-if.hint')}
              >
                {pageText('what-if')}
              </Link>
            )}
          </>
        }
      >
        <p className={styles['about']}>
          <span>{pageText(of.type)}</span>
          <code>{of.id}</code>
          {data?.source != null && <bdi>{data.source}</bdi>}
        </p>
      </Heading>
      {record.isPending && <p role="status">{text('state.loading')}</p>}
      {record.isError && <Failure error={record.error} onRetry={record.refetch} />}
      {data !== undefined && <Cards of={of} me={me} record={data} />}
    </>
  );
}

function Cards({ of, me, record }: FoundProps & { readonly record: AccessRecord }) {
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <Holders of={of} />
        <Possible of={of} missing={missingRight('exceptions', me)} />
      </div>
      <div className={styles['column']}>
        <Content type={of.type} record={record} />
        <Policies of={of} name={record.name} missing={missingRight('policies', me)} />
      </div>
    </div>
  );
}
