import type { Conversion } from './conversion.ts';
import { CSV_TABLES, type CsvFiles, convertCsv } from './csv.ts';
import { findCsvTables, findSapTables } from './find-tables.ts';
import { GRAPH, GRAPH_TABLES } from './graph.ts';
import type { Format } from './kinds.ts';
import { convertLdif, LDIF_TABLES } from './ldif.ts';
import { type KnownTables, type Mapping, readMapping } from './mapping.ts';
import { convertNdjson } from './ndjson.ts';
import { OKTA, OKTA_TABLES } from './okta.ts';
import { convertResources } from './resources.ts';
import { convertSap, SAP_TABLES, type SapFiles } from './sap.ts';
import { SCIM, SCIM_TABLES } from './scim.ts';

/** The files of a conversion: in any order, or by the names of their tables. */
export interface ConvertedFiles {
  readonly given: readonly string[];
  readonly csv?: CsvFiles;
  readonly sap?: SapFiles;
}

interface Converter {
  /** What a mapping may speak of. */
  readonly tables: KnownTables;
  /** The table that a mapping speaks of which names none. */
  readonly main: string;
  readonly convert: (files: ConvertedFiles, conversion: Conversion) => Promise<void>;
}

const csv: Converter = {
  tables: CSV_TABLES,
  main: 'people',
  convert: async (files, conversion) =>
    convertCsv(files.csv ?? (await findCsvTables(files.given, conversion)), conversion),
};

/** The converter of each kind of file. */
export const CONVERTERS: Readonly<Record<Format, Converter>> = {
  csv,
  xlsx: csv,
  sap: {
    tables: SAP_TABLES,
    main: 'agrUsers',
    convert: async (files, conversion) =>
      convertSap(files.sap ?? (await findSapTables(files.given, conversion)), conversion),
  },
  ldif: { tables: LDIF_TABLES, main: 'users', convert: ({ given }, conversion) => convertLdif(given, conversion) },
  scim: {
    tables: SCIM_TABLES,
    main: 'users',
    convert: ({ given }, conversion) => convertResources(given, SCIM, conversion),
  },
  graph: {
    tables: GRAPH_TABLES,
    main: 'users',
    convert: ({ given }, conversion) => convertResources(given, GRAPH, conversion),
  },
  okta: {
    tables: OKTA_TABLES,
    main: 'users',
    convert: ({ given }, conversion) => convertResources(given, OKTA, conversion),
  },
  ndjson: { tables: {}, main: '', convert: ({ given }, conversion) => convertNdjson(given, conversion) },
};

/** The mapping of a conversion; empty without a file of one. */
export function mappingOf(format: Format, path: string | undefined): Mapping {
  const { tables, main } = CONVERTERS[format];
  return path === undefined ? new Map() : readMapping(path, tables, main);
}
