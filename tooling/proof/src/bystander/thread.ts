import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createCaller } from '../http/caller.ts';
import { type BystanderFigures, FLOWS, type FlowName, figuresOf } from './figures.ts';
import { type BystanderData, createFlows, type Flow } from './flows.ts';

/** A call that is due for longer than this is not sent, but counts: a burst of late calls would be an attack of its own. */
const LATE_MS_MAX = 1_000;
const TIMER_MS = 10;

const data = workerData as BystanderData;
const durations = new Map<FlowName, number[]>(FLOWS.map((name) => [name, []]));
const open = new Map<symbol, { readonly name: FlowName; readonly fromMs: number }>();
let failures: string[] = [];
let ownDelays: number[] = [];

const record = (name: FlowName, durationMs: number) => durations.get(name)?.push(durationMs);

async function callOnce(flow: Flow, fromMs: number, number: number): Promise<void> {
  const key = Symbol(flow.name);
  open.set(key, { name: flow.name, fromMs });
  const failure = await flow.call(number).catch(String);
  open.delete(key);
  if (failure !== null) failures.push(`${flow.name}: ${failure}`);
  record(flow.name, performance.now() - fromMs);
}

/** Calls one after the other. */
async function keepRepeating(flow: Flow): Promise<void> {
  for (let number = 0; ; number++) {
    await delay(flow.everyMs);
    await callOnce(flow, performance.now(), number);
  }
}

/** Calls at a steady pace. A delayed call is measured from the time when it was due. */
async function keepPace(flow: Flow, caller: number): Promise<void> {
  let dueMs = performance.now() + (flow.everyMs * caller) / flow.callers;
  for (let number = 0; ; number++, dueMs += flow.everyMs) {
    const lateMs = performance.now() - dueMs;
    if (lateMs > LATE_MS_MAX) {
      record(flow.name, lateMs);
      continue;
    }
    if (lateMs < 0) await delay(-lateMs);
    // Late timers of this thread do not count as latency of the service.
    await callOnce(flow, lateMs < 0 ? performance.now() : dueMs, number);
  }
}

/** Callers are on machines of their own: where it is allowed, busy processes of the service do not delay this thread. */
function takePrecedence(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    // Not allowed: its own delay shows how much that matters.
  }
}

/** Measures by how much timers of this thread are late. */
async function measureOwnDelay(): Promise<void> {
  for (;;) {
    const fromMs = performance.now();
    await delay(TIMER_MS);
    ownDelays.push(Math.max(0, performance.now() - fromMs - TIMER_MS));
  }
}

/** Open calls count with their age once they take longer than half of the others. */
function takeFigures(): BystanderFigures {
  const nowMs = performance.now();
  const flows = FLOWS.map((name) => {
    const ended = durations.get(name) ?? [];
    durations.set(name, []);
    const { p50Ms } = figuresOf(ended);
    const ages = [...open.values()].filter((call) => call.name === name).map(({ fromMs }) => nowMs - fromMs);
    return [name, figuresOf([...ended, ...ages.filter((ageMs) => ageMs > p50Ms)])] as const;
  });
  const figures = {
    flows: Object.fromEntries(flows) as BystanderFigures['flows'],
    failures,
    ownDelay: figuresOf(ownDelays),
  };
  failures = [];
  ownDelays = [];
  return figures;
}

takePrecedence();
const callers = { call: createCaller(data), callAnonymously: createCaller({ ...data, token: null }) };
for (const flow of createFlows(callers, data))
  if (flow.callers === 1) void keepRepeating(flow);
  else for (let caller = 0; caller < flow.callers; caller++) void keepPace(flow, caller);
void measureOwnDelay();
parentPort?.on('message', () => parentPort?.postMessage(takeFigures()));
