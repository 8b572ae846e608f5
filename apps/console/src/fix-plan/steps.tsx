import type { FixPlanSummary, FixStep, SodReport } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { LEVELS, VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { writeCsv } from '../service/reports/file.ts';
import { filterSteps, STEP_COLUMNS, stepsQuery } from '../service/reports/plan.ts';
import { parseReportSearch, type ReportSearch } from '../service/reports/search.ts';
import { Card } from '../ui/card.tsx';
import { Drawer } from '../ui/dialogs/drawer.tsx';
import { useAddressed } from '../ui/dialogs/use-addressed.ts';
import { Empty } from '../ui/empty.tsx';
import { Filters } from '../ui/fields/filters.tsx';
import { PersonField } from '../ui/fields/person-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { SaveButton } from '../ui/save-button.tsx';
import { LongTable } from '../ui/tables/long-table.tsx';
import styles from './plan.module.css';
import { Cells, HEADS, NARROW } from './rows.tsx';
import { Step } from './step.tsx';
import { FIX_PLAN_TEXTS } from './texts.ts';

export interface StepsProps {
  readonly report: SodReport;
  readonly summary: FixPlanSummary;
  readonly search: ReportSearch;
}

/** The steps of a plan, filtered by the address of the page. */
export function Steps({ report, summary, search }: StepsProps) {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const steps = useQuery(stepsQuery(useApi(), report.reportId));
  return (
    <Card title={pageText('steps')}>
      {summary.revocations === 0 ? (
        <p>{pageText(summary.violations === 0 ? 'none' : 'none.possible')}</p>
      ) : (
        <Loaded query={steps}>{(found) => <List report={report} steps={found} search={search} />}</Loaded>
      )}
    </Card>
  );
}

interface ListProps extends Pick<StepsProps, 'report' | 'search'> {
  readonly steps: readonly FixStep[];
}

function List({ report, steps, search }: ListProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const navigate = useNavigate({ from: '/reports/$id' });
  const { level, person } = search;
  const shown = useMemo(() => filterSteps(steps, { level, person }), [steps, level, person]);
  const items = useMemo(() => shown.map((each) => ({ ...each, id: String(each.step) })), [shown]);
  // Those that somebody has asked about: they stay live.
  const [asked, setAsked] = useState<ReadonlySet<number>>(new Set());
  const write = useCallback(
    (step: number | null) => navigate({ search: (present) => parseReportSearch({ ...present, step }) }),
    [navigate],
  );
  const [open, setOpen] = useAddressed(search.step ?? null, write);
  const at = items.findIndex(({ step }) => step === open);
  const step = items[at];
  return (
    <>
      <p className={styles['about']}>{pageText('about')}</p>
      <StepFilters search={search} />
      <div className={styles['above']}>
        <p role="status">{pageText('count', { count: shown.length })}</p>
        <SaveButton
          label={pageText('csv')}
          failed={pageText('save.failed')}
          fileName={`fix-plan-${report.reportId}.csv`}
          type="text/csv"
          write={() => writeCsv(STEP_COLUMNS, [shown])}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title={pageText('none.found')}>
          <button type="button" className="button" onClick={() => navigate({ search: {} })}>
            {text('violations.clear')}
          </button>
        </Empty>
      ) : (
        <LongTable
          label={pageText('steps.table')}
          heads={HEADS.map((head) => ({
            label: pageText(head),
            narrow: NARROW[head],
            isNumber: head === 'loses',
          }))}
          items={items}
          total={items.length}
          hasMore={false}
          onEnd={() => {}}
        >
          {(item) => (
            <Cells report={report} step={item} isAsked={asked.has(item.step)} onShow={() => setOpen(item.step)} />
          )}
        </LongTable>
      )}
      <Drawer isOpen={step !== undefined} title={step?.revoke.name ?? ''} onClose={() => setOpen(null)}>
        {step !== undefined && (
          <>
            <nav className={styles['turn']} aria-label={pageText('steps.table')}>
              <span>{pageText('place', { at: at + 1, all: items.length })}</span>
              {([-1, 1] as const).map((by) => {
                const other = items[at + by];
                return (
                  <button
                    key={by}
                    type="button"
                    className="button"
                    aria-disabled={other === undefined}
                    onClick={() => other !== undefined && setOpen(other.step)}
                  >
                    {pageText(by < 0 ? 'before' : 'next')}
                  </button>
                );
              })}
            </nav>
            <Step
              key={step.step}
              report={report}
              step={step}
              isAsked={asked.has(step.step)}
              onAsk={() => setAsked((present) => new Set([...present, step.step]))}
            />
          </>
        )}
      </Drawer>
    </>
  );
}

function StepFilters({ search }: Pick<StepsProps, 'search'>) {
  const { text } = useSpeech();
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const navigate = useNavigate({ from: '/reports/$id' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: parseReportSearch({ ...search, ...part }), replace: true });
  return (
    <Filters active={[search.level, search.person].filter((each) => each !== undefined).length}>
      <SelectField
        label={pageText('level')}
        value={search.level ?? ''}
        options={[
          { value: '', label: text('violations.any') },
          ...LEVELS.map((value) => ({ value, label: text(`level.${VIOLATION_LEVELS[value]}`) })),
        ]}
        onChange={(level) => change({ level })}
      />
      <PersonField
        label={pageText('person')}
        id={search.person}
        removeLabel={() => pageText('person.remove')}
        onChoose={({ id }) => change({ person: id })}
        onRemove={() => change({ person: '' })}
      />
    </Filters>
  );
}
