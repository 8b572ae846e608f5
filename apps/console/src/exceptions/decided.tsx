import { usePageTexts } from '../languages/context.tsx';
import { Card } from '../ui/card.tsx';
import { Calendar } from './calendar.tsx';
import { ExceptionTable, type ExceptionTableProps } from './rows.tsx';
import { EXCEPTION_TEXTS } from './texts.ts';

/** Exceptions of one state that are decided; approved ones in a calendar too. */
export function Decided({ exceptions, onDone }: ExceptionTableProps) {
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const { state = 'APPROVED' } = exceptions[0] ?? {};
  return (
    <>
      {state === 'APPROVED' && (
        <Card title={pageText('calendar')}>
          <Calendar exceptions={exceptions} />
        </Card>
      )}
      <Card title={pageText(state === 'APPROVED' ? 'list' : `state.${state}`)}>
        <ExceptionTable exceptions={exceptions} onDone={onDone} />
      </Card>
    </>
  );
}
