import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { latestLoadQuery } from '../service/sources/loads.ts';
import { Mark } from '../ui/mark.tsx';
import styles from './latest.module.css';
import { State } from './state.tsx';
import { LOADS_TEXTS } from './texts.ts';

export interface LatestLoadProps {
  /** The id of a source. */
  readonly source: string;
  /** Whether it is called the latest load, and left out where all went well; else it is told by when it was opened. */
  readonly isNews?: boolean;
}

/** The way to the latest load of a source, and how it stands unless it is done. */
export function LatestLoad({ source, isNews = false }: LatestLoadProps) {
  const { moment } = useSpeech();
  const pageText = usePageTexts(LOADS_TEXTS);
  const load = useQuery(latestLoadQuery(useApi(), source)).data;
  if (load == null || (isNews && load.state === 'SUCCESS')) return isNews ? null : '–';
  return (
    <span className={styles['load']}>
      <Link to="/sources/$id" params={{ id: source }} search={{ load: load.loadId }}>
        {isNews ? pageText('latest') : moment(load.created)}
      </Link>
      {load.dryRun && <Mark>{pageText('dry')}</Mark>}
      {load.state !== 'SUCCESS' && <State load={load} />}
    </span>
  );
}
