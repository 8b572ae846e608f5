import type { ChildProcess } from 'node:child_process';
import { type Exposition, expose, type MetricText, writeMetrics } from './exposition.ts';
import type { ProcessMetrics } from './process-metrics.ts';

/** What the processes of a group and the one that has started them send each other. */
type Message =
  | { readonly type: 'collect metrics' | 'read metrics'; readonly id: number }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: readonly MetricText[] }
  | { readonly type: 'collected metrics'; readonly id: number; readonly processes: readonly (readonly MetricText[])[] };

const TYPES: ReadonlySet<unknown> = new Set<Message['type']>([
  'collect metrics',
  'read metrics',
  'metrics',
  'collected metrics',
]);

type EndRead = (metrics: readonly MetricText[]) => void;

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'type' in message && TYPES.has(message.type);

/** A process that does not answer within this time is left out. */
const READ_MS_MAX = 2_000;

/** Gives each process of a group, which calls this with every process that it starts, the metrics of all on request. */
export function createMetricsRelay(): (child: ChildProcess) => void {
  /** What waits for the metrics of each process, by the number of the request. */
  const members = new Map<ChildProcess, Map<number, EndRead>>();
  let lastId = 0;
  // A process that is ending takes no message any more.
  const send = (child: ChildProcess, message: Message) => void (child.connected && child.send(message, () => {}));
  const readFrom = ([child, waiting]: [ChildProcess, Map<number, EndRead>]) =>
    new Promise<readonly MetricText[]>((resolve) => {
      lastId += 1;
      const id = lastId;
      const end: EndRead = (metrics) => {
        clearTimeout(timeout);
        waiting.delete(id);
        resolve(metrics);
      };
      const timeout = setTimeout(() => end([]), READ_MS_MAX);
      waiting.set(id, end);
      send(child, { type: 'read metrics', id });
    });
  return (child) => {
    const waiting = new Map<number, EndRead>();
    members.set(child, waiting);
    child.once('exit', () => {
      members.delete(child);
      for (const end of waiting.values()) end([]);
    });
    child.on('message', async (message) => {
      if (!isMessage(message)) return;
      if (message.type === 'metrics') waiting.get(message.id)?.(message.metrics);
      if (message.type !== 'collect metrics') return;
      const processes = await Promise.all([...members].map(readFrom));
      send(child, { type: 'collected metrics', id: message.id, processes });
    });
  };
}

/** The channel to the process that has started this one. */
type Channel = Pick<NodeJS.Process, 'on' | 'connected'> & { send?(message: object): unknown };

/** The metrics as a scrape gets them: of a process with a name in a group those of all processes of the group. */
export function scrapeGroup(
  metrics: Pick<ProcessMetrics, 'read' | 'render'>,
  name: string | null,
  channel: Channel,
): Pick<ProcessMetrics, 'render'> {
  if (name === null) return metrics;
  const waiting = new Map<number, (exposition: Exposition) => void>();
  let lastId = 0;
  const send = (message: Message) => void (channel.connected && channel.send?.(message));
  channel.on('message', async (message) => {
    if (!isMessage(message)) return;
    const { type, id } = message;
    // A process whose metrics cannot be read is left out.
    if (type === 'read metrics')
      send({ type: 'metrics', id, metrics: writeMetrics(await metrics.read().catch(() => []), { process: name }) });
    if (type !== 'collected metrics') return;
    waiting.get(id)?.(expose(message.processes));
    waiting.delete(id);
  });
  return {
    render: () => {
      if (!channel.connected) return metrics.render();
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        send({ type: 'collect metrics', id });
      });
    },
  };
}
