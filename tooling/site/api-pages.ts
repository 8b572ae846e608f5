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

/** The pages of the reference, by name: one for each group of operations. */
export function createApiPages(document: ApiDocument): ReadonlyMap<string, string> {
  const pages = [...groupsOf(document)].map(([group, operations]) => {
    const sections = operations.map((each) => sectionOf(each, document));
    return [slugOf(group), `# ${group}\n\n${listOf(operations, '')}\n\n${sections.join('\n\n')}\n`] as const;
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
  return `${conventions}\n\n## Operations\n\n${groups.join('\n\n')}\n`;
}

function groupsOf({ paths }: ApiDocument): ReadonlyMap<string, readonly Described[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? 'Other');
}

function listOf(operations: readonly Described[], page: string): string {
  const rows = operations.map(
    ({ method, path, operation }) =>
      `| \`${method}\` | [\`${path}\`](${page}#${operation.operationId}) | ${cell(operation.summary)} |`,
  );
  return ['| method | path | what it does |', '|---|---|---|', ...rows].join('\n');
}

function sectionOf({ method, path, operation }: Described, document: ApiDocument): string {
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, '$ref' in response ? resolveResponse(response, document) : response] as const,
  );
  const successes = responses.filter(([status]) => status.startsWith('2'));
  const refusals = responses.filter(([status]) => !status.startsWith('2'));
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
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required = false, description = '', schema }) =>
      `| \`${name}\` | ${place}${required ? ', required' : ''} | ${cell(typeOf(schema))} | ${cell(description)} |`,
  );
  return ['| parameter | in | type | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function bodyOf(title: string, text: string, content: Content, document: ApiDocument): string {
  const bodies = Object.entries(content).map(([type, { schema, example }]) => {
    const rows = propertiesOf(schema, document);
    const table = ['| property | type | meaning |', '|---|---|---|', ...rows].join('\n');
    return [
      `**${title}** as \`${type}\`${text === '' ? '' : `. ${text}`}`,
      example === undefined ? '' : exampleOf(example),
      rows.length === 0 ? '' : `::: details Properties\n\n${table}\n\n:::`,
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return bodies.length === 0 ? `**${title}** without a body. ${text}`.trim() : bodies.join('\n\n');
}

function exampleOf(example: unknown): string {
  const isText = typeof example === 'string';
  return `\`\`\`\`${isText ? 'text' : 'json'}\n${isText ? example.trimEnd() : JSON.stringify(example, null, 2)}\n\`\`\`\``;
}

function refusalsOf(refusals: readonly (readonly [status: string, response: ApiResponse])[]): string {
  const rows = refusals.map(([status, { description }]) => `| ${status} | ${cell(description)} |`);
  return rows.length === 0 ? '' : ['| refusal | when |', '|---|---|', ...rows].join('\n');
}

/** A row for each property, those of nested objects by their paths. */
function propertiesOf(schema: Schema, document: ApiDocument, at = '', depth = 0): readonly string[] {
  const whole = resolveSchema(schema, document);
  if (depth > PROPERTY_DEPTH_MAX) return [];
  if (whole.items !== undefined) return propertiesOf(whole.items, document, `${at}[]`, depth);
  const branches = whole.anyOf ?? whole.oneOf ?? whole.allOf;
  if (branches !== undefined)
    return [...new Set(branches.flatMap((branch) => propertiesOf(branch, document, at, depth)))];
  return Object.entries(whole.properties ?? {}).flatMap(([name, property]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const resolved = resolveSchema(property, document);
    const required = whole.required?.includes(name) === true ? '' : ', optional';
    const row = `| \`${path}\` | ${cell(typeOf(resolved))}${required} | ${cell(resolved.description ?? '')} |`;
    return [row, ...propertiesOf(resolved, document, path, depth + 1)];
  });
}

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
