import type { AccessAdminClient } from '@access-admin/client';
import type { BadReceiver } from './bad-receivers.ts';

/** The webhooks of one kind of receiver. */
export interface FailingWebhooks extends BadReceiver {
  readonly ids: readonly string[];
}

/** What became of the deliveries of one kind. */
export interface FailingOutcome {
  readonly kind: string;
  /** Such as `12 FAILED`. */
  readonly text: string;
  readonly broken: readonly string[];
}

const DISABLED_BY = 'answering 410';

/** Creates some webhooks for each receiver. */
export const createFailing = (
  { webhooks }: AccessAdminClient,
  receivers: readonly BadReceiver[],
  each: number,
): Promise<readonly FailingWebhooks[]> =>
  Promise.all(
    receivers.map(async (receiver) => {
      const { kind, origin } = receiver;
      const ids: string[] = [];
      while (ids.length < each)
        ids.push((await webhooks.create({ name: kind, url: `${origin}/${ids.length}`, types: ['*'] })).id);
      return { ...receiver, ids };
    }),
  );

/** Reads what was attempted; nothing attempted is a finding, because then nothing is shown. */
export async function readOutcome(
  { webhooks }: AccessAdminClient,
  { kind, ids, arrivals, findings }: FailingWebhooks,
): Promise<FailingOutcome> {
  const states = new Map<string, number>();
  let [attempts, enabled] = [0, 0];
  for (const id of ids) {
    if ((await webhooks.get(id)).enabled) enabled += 1;
    for await (const delivery of webhooks.deliveries(id)) {
      states.set(delivery.state, (states.get(delivery.state) ?? 0) + 1);
      attempts += delivery.attempts.length;
    }
  }
  const wasTried = arrivals === null ? attempts > 0 : arrivals >= ids.length;
  const isRight = kind === DISABLED_BY ? enabled === 0 : enabled === ids.length;
  return {
    kind,
    text: [...states].map(([state, count]) => `${count} ${state}`).join(' ') || 'none stored yet',
    broken: [
      ...findings.map((text) => `${kind}: ${text}`),
      ...(wasTried ? [] : [`${kind}: hardly anything was delivered, so nothing is shown`]),
      ...(isRight ? [] : [`${kind}: ${enabled} of ${ids.length} webhooks are enabled`]),
    ],
  };
}
