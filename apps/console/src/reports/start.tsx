import type { StartedSodReport } from '@access-admin/client';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { startBlastRadius, startDryRun, startFixPlan, WHOLE_FIX } from '../service/reports/start.ts';
import { InstantField } from '../ui/fields/date-field.tsx';
import { Actions } from '../ui/forms/actions.tsx';
import { BlastRadiusFields, NO_GAIN } from './blast-radius-fields.tsx';
import { DryRunFields, NO_SUPPOSITION } from './dry-run-fields.tsx';
import { FixPlanFields } from './fix-plan-fields.tsx';
import { REPORTS_TEXTS } from './texts.ts';

/** What starts a report, with a button for each kind. */
export function Start() {
  const pageText = usePageTexts(REPORTS_TEXTS);
  const api = useApi();
  const [at, setAt] = useState('');
  const [gain, setGain] = useState(NO_GAIN);
  const [supposed, setSupposed] = useState(NO_SUPPOSITION);
  const [fix, setFix] = useState(WHOLE_FIX);
  const starting = (start: () => Promise<StartedSodReport>) => async () => {
    await start();
    setAt('');
    setGain(NO_GAIN);
    setSupposed(NO_SUPPOSITION);
    setFix(WHOLE_FIX);
    return pageText('begun');
  };
  const { of, added } = gain;
  return (
    <Actions
      concerns={['reports']}
      actions={[
        {
          label: pageText('scan'),
          confirm: pageText('scan.confirm'),
          isMain: true,
          children: (
            <>
              <p>{pageText('scan.text')}</p>
              <InstantField label={pageText('scan.at')} hint={pageText('scan.at.hint')} value={at} onChange={setAt} />
            </>
          ),
          // The field has a time of the time zone of the browser.
          run: starting(() => api.sodReports.scan(at === '' ? {} : { at: new Date(at).toISOString() })),
        },
        {
          label: pageText('dry-run'),
          confirm: pageText('dry-run.confirm'),
          children: <DryRunFields value={supposed} onChange={setSupposed} />,
          canRun: supposed.policies.length > 0,
          run: starting(() =>
            startDryRun(
              api,
              supposed.policies.map(({ id }) => id),
              supposed.supposition,
            ),
          ),
        },
        {
          label: pageText('blast-radius'),
          confirm: pageText('blast-radius.confirm'),
          children: <BlastRadiusFields value={gain} onChange={setGain} />,
          canRun: of !== null && added.length > 0,
          run: starting(() => (of === null ? Promise.reject() : startBlastRadius(api, of, added))),
        },
        {
          label: pageText('fix-plan'),
          confirm: pageText('fix-plan.confirm'),
          children: <FixPlanFields value={fix} onChange={setFix} />,
          run: starting(() => startFixPlan(api, fix)),
        },
      ]}
    />
  );
}
