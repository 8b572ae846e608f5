import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { controlsQuery } from '../service/controls.ts';
import { missingRight } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Heading } from '../ui/heading.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { MissingRight } from '../ui/missing-right.tsx';
import { ControlItem } from './item.tsx';
import { NewControl } from './new.tsx';
import styles from './page.module.css';
import { CONTROL_TEXTS } from './texts.ts';

/** The compensating controls that can be applied to violations. */
export function ControlsPage() {
  const pageText = usePageTexts(CONTROL_TEXTS);
  const api = useApi();
  const session = useQuery(sessionQuery(api));
  const missing = session.data === undefined ? null : missingRight('change', session.data);
  return (
    <>
      <Heading title={pageText('title')}>
        <p>{pageText('about')}</p>
      </Heading>
      {missing !== null && <MissingRight isReadable needed={missing} />}
      <div className={styles['columns']}>
        <Card title={pageText('all')}>
          <Loaded query={useQuery(controlsQuery(api))}>
            {(controls) =>
              controls.length === 0 ? (
                <Empty title={pageText('none')}>
                  <p>{pageText('none.text')}</p>
                </Empty>
              ) : (
                <ul className={styles['controls']}>
                  {controls.map((control) => (
                    <ControlItem key={control.id} control={control} mayChange={missing === null} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Card>
        {missing === null && <NewControl />}
      </div>
    </>
  );
}
