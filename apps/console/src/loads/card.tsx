import type { SourceLoad } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { loadsQuery } from '../service/sources/loads.ts';
import { Card } from '../ui/card.tsx';
import link from '../ui/link.module.css';
import { Loaded } from '../ui/loaded.tsx';
import styles from './card.module.css';
import { Changes } from './changes.tsx';
import { Said } from './details.tsx';
import { State, useKind, useOutcome } from './state.tsx';
import { LOADS_TEXTS } from './texts.ts';

export interface LoadsProps {
  readonly source: string;
  /** Shows a load in full. */
  readonly onShow: (loadId: string) => void;
  /** Shows what loads a file. */
  readonly onSend: () => void;
}

/** The loads of a source: the latest one with what it has changed, and all of them. */
export function Loads({ source, onShow, onSend }: LoadsProps) {
  const pageText = usePageTexts(LOADS_TEXTS);
  const loads = useQuery(loadsQuery(useApi(), source));
  return (
    <Card
      title={pageText('loads')}
      ways={
        <button type="button" className="button" onClick={onSend}>
          {pageText('send')}
        </button>
      }
    >
      <Loaded query={loads}>
        {(found) =>
          found.length === 0 ? (
            <p className={styles['muted']}>{pageText('none')}</p>
          ) : (
            <>
              <Latest load={found.find(({ dryRun }) => !dryRun)} onShow={onShow} />
              <details>
                <summary>{pageText('all', { count: found.length })}</summary>
                <ul aria-label={pageText('list')} className={styles['loads']}>
                  {found.map((load) => (
                    <li key={load.loadId}>
                      <Row load={load} onShow={onShow} />
                    </li>
                  ))}
                </ul>
              </details>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

type ShownProps = Pick<LoadsProps, 'onShow'>;

/** The load that has changed something last, or is about to. */
function Latest({ load, onShow }: ShownProps & { readonly load: SourceLoad | undefined }) {
  const kindOf = useKind();
  if (load === undefined) return null;
  const { state, summary } = load;
  return (
    <div className={styles['latest']}>
      <Head load={load} line={kindOf(load)} onShow={onShow} />
      <Said load={load} />
      {summary !== null && state !== 'REFUSED' && <Changes summary={summary} isStacked />}
    </div>
  );
}

/** A load in the list of all. */
function Row({ load, onShow }: ShownProps & { readonly load: SourceLoad }) {
  const kindOf = useKind();
  const outcomeOf = useOutcome();
  const line = [kindOf(load), outcomeOf(load)].filter((part) => part !== '').join(' · ');
  return <Head load={load} line={line} onShow={onShow} />;
}

interface HeadProps extends ShownProps {
  readonly load: SourceLoad;
  readonly line: string;
}

/** When a load was opened, which leads to all about it, how it stands, and a line about it. */
function Head({ load, line, onShow }: HeadProps) {
  const { moment } = useSpeech();
  return (
    <div className={styles['head']}>
      <button type="button" className={link['inline']} onClick={() => onShow(load.loadId)}>
        {moment(load.created)}
      </button>
      <span>
        <State load={load} />
      </span>
      <span className={styles['line']}>{line}</span>
    </div>
  );
}
