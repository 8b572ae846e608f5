import stringify from 'json-stringify-pretty-compact';

/** What the pages show of an OpenAPI document. */
export interface ApiDocument {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
  };
}

interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Reference {
  readonly $ref: string;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

const PROPERTY_DEPTH_MAX = 6;
const EXAMPLE_LINE_LENGTH_MAX = 76;
const SHARED =
  '[Conventions](../api.md#conventions) and [refusals](../api.md#refusals) of every operation are on a page of their own.';

/** The pages of the reference, by name: one for each group of operations. */
export function createApiPages(document: ApiDocument): ReadonlyMap<string, string> {
  const pages = [...groupsOf(document)].map(([group, operations]) => {
    const sections = operations.map((each) => sectionOf(each, document));
    return [
      slugOf(group),
      `# ${group}\n\n${listOf(operations, '')}\n\n${SHARED}\n\n${sections.join('\n\n')}\n`,
    ] as const;
  });
  return new Map(pages);
}

/** What all operations have in common, and the list of them by group, with links to their pages in `folder`. */
export function createApiOverview(document: ApiDocument, folder: string): string {
  const groups = [...groupsOf(document)].map(
    ([group, operations]) => `### ${group}\n\n${listOf(operations, `${folder}/${slugOf(group)}.md`)}`,
  );
  // How to get a token, and the limits, have pages of their own.
  const sections = document.info.description.split(/^(?=## )/m);
  const conventions = sections.find((section) => section.startsWith('## Conventions\n'))?.trim();
  if (conventions === undefined) throw new Error('The description has no conventions');
  const refusals = refusalsOf(resolveAll(sharedRefusals(document), document));
  return `${conventions}\n\n## Refusals\n\nEvery operation may answer with these. Its section has those that are its own.\n\n${refusals}\n\n## Operations\n\n${groups.join('\n\n')}\n`;
}

type Responses = ApiOperation['responses'];

/** The refusals that all operations have alike; public endpoints have none of them. */
function sharedRefusals({ paths }: ApiDocument): Responses {
  const all = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => responses['default'] === undefined)
    .map(({ responses }) => responses);
  const [first = {}, ...others] = all;
  return Object.fromEntries(
    Object.entries(first).filter(
      ([status, response]) => '$ref' in response && others.every((each) => isSame(each[status], response)),
    ),
  );
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const resolveAll = (responses: Responses, document: ApiDocument) =>
  Object.entries(responses).map(
    ([status, response]) => [status, '$ref' in response ? resolveResponse(response, document) : response] as const,
  );

function groupsOf({ paths }: ApiDocument): ReadonlyMap<string, readonly Described[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? 'Other');
}

function listOf(operations: readonly Described[], page: string): string {
  const rows = operations.map(({ method, path, operation }) => [
    `\`${method}\``,
    `[\`${path}\`](${page}#${operation.operationId})`,
    operation.summary,
  ]);
  return tableOf(['method', 'path', 'what it does'], rows);
}

function sectionOf({ method, path, operation }: Described, document: ApiDocument): string {
  const shared = sharedRefusals(document);
  const responses = resolveAll(operation.responses, document);
  const successes = responses.filter(([status]) => status.startsWith('2'));
  const refusals = responses.filter(([status]) => !status.startsWith('2') && shared[status] === undefined);
  return [
    `## ${operation.summary} {#${operation.operationId}}`,
    `\`${method} ${path}\``,
    operation.description,
    parametersOf(operation.parameters ?? []),
    operation.requestBody === undefined
      ? ''
      : bodyOf('Request', operation.requestBody.description ?? '', operation.requestBody.content, document),
    ...successes.map(([status, { description, content = {} }]) =>
      bodyOf(`Answer ${status}`, description === 'Success' ? '' : description, content, document),
    ),
    refusalsOf(refusals),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function parametersOf(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: location, required = false, description = '', schema }) => [
    `\`${name}\``,
    `${location}${required ? ', required' : ''}`,
    typeOf(schema),
    description,
  ]);
  return tableOf(['parameter', 'in', 'type', 'meaning'], rows);
}

function bodyOf(title: string, text: string, content: Content, document: ApiDocument): string {
  const bodies = Object.entries(content).map(([type, { schema, example }]) => {
    const properties = tableOf(['property', 'type', 'meaning'], propertiesOf(schema, document));
    return [
      `**${title}** as \`${type}\`${text === '' ? '' : `. ${text}`}`,
      example === undefined ? '' : exampleOf(example),
      properties === '' ? '' : `::: details Properties\n\n${properties}\n\n:::`,
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return bodies.length === 0 ? `**${title}** without a body. ${text}`.trim() : bodies.join('\n\n');
}

function exampleOf(example: unknown): string {
  const isText = typeof example === 'string';
  return `\`\`\`\`${isText ? 'text' : 'json'}\n${isText ? example.trimEnd() : stringify(example, { maxLength: EXAMPLE_LINE_LENGTH_MAX })}\n\`\`\`\``;
}

function refusalsOf(refusals: readonly (readonly [status: string, response: ApiResponse])[]): string {
  return tableOf(
    ['refusal', 'when'],
    refusals.map(([status, { description }]) => [status, description]),
  );
}

/** A table without the columns that have no text; empty without rows. */
function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = heads.map((_, at) => at).filter((at) => rows.some((row) => row[at] !== ''));
  const lineOf = (row: readonly string[]) => `| ${columns.map((at) => cell(row[at] ?? '')).join(' | ')} |`;
  return rows.length === 0 ? '' : [lineOf(heads), lineOf(heads.map(() => '---')), ...rows.map(lineOf)].join('\n');
}

/** A row for each property, those of nested objects by their paths. */
function propertiesOf(schema: Schema, document: ApiDocument, at = '', depth = 0): readonly (readonly string[])[] {
  const whole = resolveSchema(schema, document);
  if (depth > PROPERTY_DEPTH_MAX) return [];
  if (whole.items !== undefined) return propertiesOf(whole.items, document, `${at}[]`, depth);
  const branches = whole.anyOf ?? whole.oneOf ?? whole.allOf;
  if (branches !== undefined)
    return uniqueRows(branches.flatMap((branch) => propertiesOf(branch, document, at, depth)));
  return Object.entries(whole.properties ?? {}).flatMap(([name, property]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const resolved = resolveSchema(property, document);
    const required = whole.required?.includes(name) === true ? '' : ', optional';
    const row = [`\`${path}\``, `${typeOf(resolved)}${required}`, resolved.description ?? ''];
    return [row, ...propertiesOf(resolved, document, path, depth + 1)];
  });
}

const uniqueRows = (rows: readonly (readonly string[])[]) => [
  ...new Map(rows.map((row) => [row.join('|'), row])).values(),
];

function resolveSchema(schema: Schema, { components }: ApiDocument): Schema {
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`The document has no ${schema.$ref}`);
  return found;
}

function resolveResponse({ $ref }: Reference, { components }: ApiDocument): ApiResponse {
  const found = components.responses[$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`The document has no ${$ref}`);
  return found;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches !== undefined) return [...new Set(branches.map(typeOf))].join(' or ');
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  if (schema.$ref !== undefined) return 'object';
  return `${[schema.type ?? 'any'].flat().join(' or ')}${boundsOf(schema)}`;
}

function boundsOf({ minimum, maximum, minLength, maxLength, maxItems }: Schema): string {
  const range = (from: number | undefined, to: number | undefined, what: string) => {
    if (to === undefined) return '';
    return from === undefined ? `, at most ${to}${what}` : `, ${from} to ${to}${what}`;
  };
  return `${range(minimum, maximum, '')}${range(minLength, maxLength, ' characters')}${range(undefined, maxItems, ' items')}`;
}

const slugOf = (group: string): string => group.toLowerCase().replaceAll(' ', '-');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
