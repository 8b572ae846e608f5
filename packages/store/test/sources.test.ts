import { describe } from 'vitest';
import { ENGINE } from './store-engine.ts';
import { describeSources } from './suite/source-suite.ts';

describe(`the store on ${ENGINE.name}: sources and accounts`, () => {
  describeSources(ENGINE);
});
