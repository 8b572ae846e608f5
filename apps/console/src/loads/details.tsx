import { ConflictError, type SourceLoad } from '@access-admin/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { isToConfirm, loadQuery } from '../service/sources/loads.ts';
import { Facts } from '../ui/facts.tsx';
import { ConfirmButton } from '../ui/forms/confirm-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Progress } from '../ui/progress.tsx';
import { Changes } from './changes.tsx';
import styles from './details.module.css';
import { DETAILS_TEXTS } from './details-texts.ts';
import { State, useKind } from './state.tsx';

export interface OutcomeProps {
  readonly source: string;
  readonly loadId: string;
  /** The line of a file that a line of a part is; left out where the file is not known. */
  readonly lineOf?: ((part: number, line: number) => number) | undefined;
  /** Told how many deletions somebody has confirmed. */
  readonly onConfirm?: ((deletes: number) => void) | undefined;
}

/** How a load stands, and what it has changed or would change. It is read again until it has ended. */
export function Outcome({ source, loadId, lineOf, onConfirm }: OutcomeProps) {
  const kindOf = useKind();
  const load = useQuery(loadQuery(useApi(), source, loadId));
  return (
    <Loaded query={load}>
      {(found) => (
        <div className={styles['load']}>
          <p role="status" className={styles['head']}>
            <State load={found} />
            <span className={styles['muted']}>{kindOf(found)}</span>
          </p>
          <Said load={found} onConfirm={onConfirm} />
          {found.summary !== null && found.state !== 'REFUSED' && <Changes summary={found.summary} />}
          {found.summary !== null && found.summary.faultCount > 0 && <Faults summary={found.summary} lineOf={lineOf} />}
        </div>
      )}
    </Loaded>
  );
}

/** One load in full. */
export function Details({ source, loadId }: Pick<OutcomeProps, 'source' | 'loadId'>) {
  const pageText = usePageTexts(DETAILS_TEXTS);
  const { moment } = useSpeech();
  const load = useQuery(loadQuery(useApi(), source, loadId)).data;
  const time = (instant: string | null) => (instant === null ? '–' : moment(instant));
  return (
    <>
      <Outcome source={source} loadId={loadId} />
      {load !== undefined && (
        <Facts
          facts={[
            { name: pageText('begun'), value: time(load.created) },
            { name: pageText('committed'), value: time(load.committed) },
            { name: pageText('completed'), value: time(load.completed) },
            { name: pageText('id'), value: <code>{loadId}</code> },
          ]}
        />
      )}
    </>
  );
}

interface LoadProps extends Pick<OutcomeProps, 'onConfirm'> {
  readonly load: SourceLoad;
}

/** What a load waits for, or why it has ended as it has, and what can be done about it. */
export function Said({ load, onConfirm }: LoadProps) {
  const pageText = usePageTexts(DETAILS_TEXTS);
  const { moment } = useSpeech();
  const { state, dryRun, summary, deletes, message, expires } = load;
  const canConfirm = isToConfirm(load);
  const until = expires === null ? '–' : moment(expires);
  if (state === 'OPEN')
    return (
      <>
        <p>{pageText('OPEN.text', { time: until })}</p>
        <Cancel load={load} />
      </>
    );
  if (state === 'RUNNING') return <Running load={load} />;
  if (state === 'SUCCESS') return dryRun && <p>{pageText('SUCCESS.dry')}</p>;
  if (state === 'ERROR')
    return (
      <div className="message error">
        {message !== null && <p dir="auto">{message}</p>}
        <p>{pageText(dryRun || load.committed === null ? 'ERROR.unchanged' : 'ERROR')}</p>
      </div>
    );
  if (deletes === null)
    return <p className="message error">{pageText('REFUSED.faults', { count: summary?.faultCount ?? 0 })}</p>;
  return (
    <div className="message error">
      <p>{pageText('REFUSED.losses', { count: deletes })}</p>
      <p>{canConfirm ? pageText('REFUSED.until', { time: until }) : pageText('REFUSED.over')}</p>
      {canConfirm && (
        <p>
          <Confirm load={load} deletes={deletes} onConfirm={onConfirm} />
        </p>
      )}
    </div>
  );
}

function Running({ load: { summary } }: Pick<LoadProps, 'load'>) {
  const pageText = usePageTexts(DETAILS_TEXTS);
  const { created = 0, updated = 0, deleted = 0, unchanged = 0 } = summary?.accounts ?? {};
  const count = created + updated + deleted + unchanged;
  return <Progress label={count === 0 ? pageText('RUNNING.none') : pageText('RUNNING.some', { count })} value={null} />;
}

/** Commits a load with the number of deletions for which it was refused. */
function Confirm({ load, deletes, onConfirm }: LoadProps & { readonly deletes: number }) {
  const pageText = usePageTexts(DETAILS_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const { source, loadId, dryRun } = load;
  const count = { count: deletes };
  const confirm = async () => {
    await api.sourceLoads.commit(source, loadId, { confirmDeletes: deletes });
    onConfirm?.(deletes);
    await queries.invalidateQueries({ queryKey: ['loads'] });
  };
  return (
    <ConfirmButton
      label={dryRun ? pageText('confirm.dry') : pageText('confirm', count)}
      question={dryRun ? pageText('confirm.dry.question') : pageText('confirm.question', count)}
      isDestructive={!dryRun}
      onConfirm={confirm}
      explain={(error) => (error instanceof ConflictError ? pageText('REFUSED.over') : null)}
    >
      {pageText(dryRun ? 'confirm.dry.text' : 'confirm.text')}
    </ConfirmButton>
  );
}

/** Removes a load that takes parts. */
function Cancel({ load: { source, loadId } }: Pick<LoadProps, 'load'>) {
  const pageText = usePageTexts(DETAILS_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const cancel = async () => {
    await api.sourceLoads.cancel(source, loadId);
    await queries.invalidateQueries({ queryKey: ['loads'] });
  };
  return (
    <p>
      <ConfirmButton label={pageText('cancel')} question={pageText('cancel.question')} onConfirm={cancel}>
        {pageText('cancel.text')}
      </ConfirmButton>
    </p>
  );
}

/** What is wrong with lines of a load, in the words of the service. */
function Faults({ summary, lineOf }: Pick<OutcomeProps, 'lineOf'> & { readonly summary: Summary }) {
  const pageText = usePageTexts(DETAILS_TEXTS);
  const { number } = useSpeech();
  const { faults, faultCount } = summary;
  const placeOf = (part: number, line: number) =>
    lineOf === undefined
      ? pageText('faults.part', { part: number(part), line: number(line) })
      : pageText('faults.line', { line: number(lineOf(part, line)) });
  return (
    <section className={styles['part']}>
      <h3>{pageText('faults')}</h3>
      <ol className={styles['faults']}>
        {faults.toSorted(byPlace).map(({ part, line, text }, at) => (
          <li key={`${at} ${part} ${line}`}>
            <span className={styles['place']}>{placeOf(part, line)}</span>
            <span dir="auto">{text}</span>
          </li>
        ))}
      </ol>
      {faultCount > faults.length && (
        <p className={styles['muted']}>{pageText('faults.more', { count: faultCount - faults.length })}</p>
      )}
    </section>
  );
}

type Summary = NonNullable<SourceLoad['summary']>;
type Fault = Summary['faults'][number];

const byPlace = (one: Fault, other: Fault): number => one.part - other.part || one.line - other.line;
