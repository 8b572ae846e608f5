export {
  type ExplainedReading,
  type Prediction,
  type PredictionRequest,
  readExplained,
} from './reader/read-explained.ts';
export {
  CACHE_BYTES_DEFAULT,
  CACHE_BYTES_MIN,
  createSodReader,
  type SodReader,
  type SodReading,
} from './reader/sod-reader.ts';
export { compileCatalogue } from './rulebooks/compile.ts';
export { inParts, type Pause } from './source/pauses.ts';
