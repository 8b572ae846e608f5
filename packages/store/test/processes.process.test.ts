import { describe } from 'vitest';
import { ENGINE } from './store-engine.ts';
import { describeProcesses } from './suite/process-suite.ts';

describe(`the store on ${ENGINE.name}`, () => describeProcesses(ENGINE));
