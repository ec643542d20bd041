/** A description that is small to send but expensive to import or to read. */
export interface DescriptionBomb {
  readonly name: string
  /** Builds the text of the file. */
  readonly build: () => string
}

/** All kinds of bombs, each below 32 MiB. A `size` of 0.1 is enough to test responses. */
export function listDescriptionBombs(size = 1): readonly DescriptionBomb[] {
  const n = (count: number) => Math.max(1, Math.round(count * size))
  const bombs: Record<string, () => string> = {
    'YAML aliases, 10 to the tenth': () => multiplyAliases(10, 10),
    'YAML alias within itself': () => 'openapi: 3.0.0\nx: &a [*a]',
    'YAML, 20,000 aliases': () => `openapi: 3.0.0\na: &a 1\nb: [${'*a,'.repeat(20_000)}]`,
    'YAML, long text repeated by aliases': () =>
      `openapi: 3.0.0\na: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(9000)}]`,
    'YAML merge keys': () =>
      `openapi: 3.0.0\na: &a {${joinItems(n(2000), (at) => `k${at}: 1`)}}\nb:\n${lines(9000, () => '- {<<: *a}')}`,
    'YAML, depth 100,000': () => `openapi: 3.0.0\nx: ${'['.repeat(100_000)}`,
    'YAML, 500,000 lines': () => `openapi: 3.0.0\nx:\n${lines(n(500_000), (at) => `  k${at}: v`)}`,
    'YAML, 30 MB text': () => `openapi: 3.0.0\nx: "${'text '.repeat(n(6_000_000))}"`,
    'lists, depth 100,000': () => nest('[', ']', 100_000),
    'objects, depth 100,000': () => nest('{"a":', '}', 100_000),
    'lists that never close': () => `{"openapi":"3.0.0","x":${'['.repeat(100_000)}`,
    '5,000,000 values': () => `{"openapi":"3.0.0","x":[${'[],'.repeat(n(5_000_000))}1]}`,
    '15,000,000 numbers': () => `{"openapi":"3.0.0","x":[${'1,'.repeat(n(15_000_000))}1]}`,
    '1,000,000 keys of one object': () =>
      `{"openapi":"3.0.0","x":{${joinItems(n(1_000_000), (at) => `"k${at}":0`)}}}`,
    'duplicate keys': () => `{"openapi":"3.0.0","x":{${joinItems(n(300_000), () => '"k":0')}}}`,
    'JSON with a comment, 5 MB': () =>
      `{# comment\n"openapi":"3.0.0","x":[${joinItems(n(250_000), () => '"a text of words"')}]}`,
    'key of 20 MB': () => `{"openapi":"3.0.0","${'k'.repeat(n(20_000_000))}":1}`,
    'escapes of lone surrogates': () =>
      createDocumentText('"/a":{"get":{}}', { 'x-a': `"${'\\ud800'.repeat(n(4_000_000))}"` }),
    'text of 30 MB, two bytes a character': () =>
      createDocumentText('"/a":{"get":{}}', { 'x-a': `"${'é'.repeat(n(15_000_000))}"` }),
    backslashes: () =>
      createDocumentText('"/a":{"get":{}}', { 'x-a': `"${'\\\\'.repeat(n(14_000_000))}"` }),
    'chain of references': () =>
      withSchemas(10_000, (at) => `{"$ref":"#/components/schemas/s${at + 1}"}`),
    'references in all directions': () =>
      withSchemas(
        n(1000),
        (at) => `{"allOf":[${joinItems(60, (to) => ref(`s${(at * 7 + to) % n(1000)}`))}]}`,
      ),
    'references to other files': () =>
      createDocumentText(
        getWith(`"parameters":[${joinItems(n(300_000), (at) => `{"$ref":"f${at}.json"}`)}]`),
      ),
    'shared schema, fanned out': () =>
      createDocumentText(
        paths(
          1000,
          () => `"post":{"requestBody":{"content":{"application/json":{"schema":${ref('s0')}}}}}`,
        ),
        {
          components: `{"schemas":{"s0":{"type":"object","properties":{${joinItems(1500, (at) => `"p${at}":{}`)}}}}}`,
        },
      ),
    'shared path item, fanned out': () =>
      createDocumentText(
        `"/big":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"description":"${'x'.repeat(50_000)}"}}}}}}},` +
          joinItems(n(20_000), (at) => `"/${at}":{"$ref":"#/paths/~1big"}`),
      ),
    'servers, fanned out': () =>
      createDocumentText(
        paths(2000, () => '"get":{}'),
        {
          servers: `[${joinItems(2000, (at) => `{"url":"https://h${at}.example"}`)}]`,
        },
      ),
    'variables of a server': () =>
      createDocumentText('"/a":{"get":{}}', {
        servers: `[{"url":"https://{v}.example","variables":{"v":{"default":"a","enum":[${joinItems(n(1_000_000), (at) => `"v${at}"`)}]}}}]`,
      }),
    'path of 20,000 parameters': () =>
      createDocumentText(`"/${joinItems(20_000, (at) => `{p${at}}`, '')}":{"get":{}}`),
    'path of open braces': () => createDocumentText(`"/${'{'.repeat(n(1_000_000))}":{"get":{}}`),
    'path of 20 MB': () => createDocumentText(`"/${'p'.repeat(n(20_000_000))}":{"get":{}}`),
    'tools of an MCP server': () =>
      createCardText(`"tools":[${joinItems(n(400_000), (at) => `{"name":"t${at}"}`)}]`),
    'tools without names': () => createCardText(`"tools":[${'null,'.repeat(n(1_500_000))}1]`),
    'tools, references in all directions': () =>
      createCardText(
        `"tools":[${joinItems(n(250), (tool) => {
          const toRef = (to: number) => `{"$ref":"#/$defs/s${(tool * 7 + to) % 60}"}`
          const defs = joinItems(60, (at) => `"s${at}":{"allOf":[${joinItems(60, toRef)}]}`)
          return `{"name":"t${tool}","inputSchema":{"allOf":[{"$ref":"#/$defs/s0"}],"$defs":{${defs}}}}`
        })}]`,
      ),
    'remotes with secrets': () =>
      createCardText(
        `"remotes":[${joinItems(n(20_000), (at) => `{"type":"sse","url":"https://h${at}.example","headers":[${joinItems(30, (to) => `{"name":"h${to}","isSecret":true}`)}]}`)}]`,
      ),
    'skills of an agent': () =>
      `{"name":"a","url":"https://a.example","capabilities":{},"skills":[${joinItems(n(400_000), (at) => `{"id":"s${at}"}`)}]}`,
    'rate limits in words': () =>
      createDocumentText(getWith(`"description":"${'100 requests per '.repeat(n(600_000))}"`)),
    'almost a URL, long': () =>
      createDocumentText(getWith(`"description":"${'http://'.repeat(n(1_000_000))}"`), {
        externalDocs: `{"url":"https://a.example/","description":"${'terms of '.repeat(n(500_000))}"}`,
      }),
    'regular expression that backtracks': () =>
      createDocumentText(
        getWith(
          `"parameters":[{"name":"p","in":"query","schema":{"type":"string","pattern":"^(a+)+$","example":"${'a'.repeat(n(100_000))}!"}}]`,
        ),
      ),
    '250,000 parameters': () =>
      createDocumentText(getWith(`"parameters":[${joinItems(n(250_000), parameter)}]`)),
    '250,000 properties of a body': () =>
      createDocumentText(
        `"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{${joinItems(n(250_000), (at) => `"p${at}":{"type":"string"}`)}}}}}}}}`,
      ),
    'enum of 1,500,000 values': () =>
      createDocumentText(withSchema(`{"enum":[${joinItems(n(1_500_000), (at) => `"v${at}"`)}]}`)),
    '2,000 parameters with enums of 100': () =>
      createDocumentText(
        getWith(
          `"parameters":[${joinItems(2000, (at) => `{"name":"p${at}","in":"query","schema":{"enum":[${joinItems(100, (value) => `"v${value}"`)}]}}`)}]`,
        ),
      ),
    'text of a parameter, 20 MB': () =>
      createDocumentText(withSchema(`{"description":"${'text '.repeat(n(4_000_000))}"}`)),
    'name of a parameter, 20 MB': () =>
      createDocumentText(
        getWith(`"parameters":[{"name":"${'n'.repeat(n(20_000_000))}","in":"query"}]`),
      ),
    'security, 1,000 alternatives of 300': () =>
      createDocumentText(
        getWith(
          `"security":[${joinItems(n(1000), () => `{${joinItems(300, (at) => `"s${at}":[]`)}}`)}]`,
        ),
      ),
    'security, 1,000,000 scopes': () =>
      createDocumentText(
        getWith(`"security":[{"s":[${joinItems(n(1_000_000), (at) => `"s${at}"`)}]}]`),
      ),
    'security schemes, 100,000': () =>
      createDocumentText('"/a":{"get":{}}', {
        components: `{"securitySchemes":{${joinItems(n(100_000), (at) => `"s${at}":{"type":"http","scheme":"basic"}`)}}}`,
      }),
    '150,000 paths': () => createDocumentText(paths(n(150_000), () => '"get":{}')),
    '120,000 operations': () =>
      createDocumentText(
        paths(n(20_000), () =>
          ['get', 'put', 'post', 'delete', 'patch', 'head']
            .map((method) => `"${method}":{"summary":"${method} it"}`)
            .join(),
        ),
      ),
    'methods of one path, 200,000': () =>
      createDocumentText(
        `"/a":{"additionalOperations":{${joinItems(n(200_000), (at) => `"M${at}":{}`)}}}`,
      ),
    'webhooks, 150,000': () =>
      createDocumentText('"/a":{"get":{}}', {
        webhooks: `{${joinItems(n(150_000), (at) => `"w${at}":{"post":{}}`)}}`,
      }),
    'callbacks, 150,000': () =>
      createDocumentText(
        getWith(
          `"callbacks":{${joinItems(n(150_000), (at) => `"c${at}":{"{$url}":{"post":{}}}`)}}`,
        ),
      ),
    'tags, 1,000,000': () =>
      createDocumentText(getWith(`"tags":[${joinItems(n(1_000_000), (at) => `"t${at}"`)}]`)),
    'chain of tags': () =>
      createDocumentText(getWith('"tags":["t0"]'), {
        tags: `[${joinItems(n(300_000), (at) => `{"name":"t${at}","parent":"t${at + 1}"}`)}]`,
      }),
    'description of 20 MB': () =>
      createDocumentText(getWith(`"description":"${'text '.repeat(n(4_000_000))}"`)),
    'words of 20 MB, all different': () =>
      createDocumentText(
        getWith(`"description":"${joinItems(n(3_000_000), (at) => at.toString(36), ' ')}"`),
      ),
    'statuses, 500,000': () =>
      createDocumentText(
        getWith(`"responses":{${joinItems(n(500_000), (at) => `"${at}":{"description":""}`)}}`),
      ),
    'media types, 300,000': () =>
      createDocumentText(
        `"/a":{"post":{"requestBody":{"content":{${joinItems(n(300_000), (at) => `"application/t${at}":{}`)}}}}}`,
      ),
    'schema of a response, 20 MB': () =>
      createDocumentText(
        withResponse(
          `"schema":{"properties":{${joinItems(n(700_000), (at) => `"p${at}":{"type":"string"}`)}}}`,
        ),
      ),
    'example of a response, 20 MB': () =>
      createDocumentText(withResponse(`"example":"${'text '.repeat(n(4_000_000))}"`)),
    'allOf of 500,000': () =>
      createDocumentText(
        withSchema(`{"allOf":[${joinItems(n(500_000), () => '{"type":"object"}')}]}`),
      ),
    'components of 25 MB': () =>
      createDocumentText(withResponse(`"schema":${ref('s0')}`), {
        components: `{"schemas":{${joinItems(n(250_000), (at) => `"s${at}":{"allOf":[${ref(`s${at + 1}`)}],"title":"schema number ${at}"}`)}}}`,
      }),
    'servers of one operation, 300,000': () =>
      createDocumentText(
        getWith(`"servers":[${joinItems(n(300_000), (at) => `{"url":"https://h${at}.example"}`)}]`),
      ),
    'long keys of operations': () =>
      createDocumentText(joinItems(n(2000), (at) => `"/${'{p}/'.repeat(2500)}${at}":{"get":{}}`)),
  }
  return Object.entries(bombs).map(([name, build]) => ({ name, build }))
}

function joinItems(count: number, toItem: (at: number) => string, separator = ','): string {
  return Array.from({ length: count }, (_, at) => toItem(at)).join(separator)
}

function lines(count: number, toLine: (at: number) => string): string {
  return joinItems(count, toLine, '\n')
}

/** Builds a document with path items and additional members as JSON. */
function createCardText(members: string): string {
  const $schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'
  return `{"$schema":"${$schema}","name":"org.acme/a",${members}}`
}

function createDocumentText(
  pathItems: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const members = Object.entries(more).map(([name, json]) => `,${JSON.stringify(name)}:${json}`)
  return `{"openapi":"3.2.0","info":{"title":"Bomb","version":"1"},"paths":{${pathItems}}${members.join('')}}`
}

function paths(count: number, toItem: (at: number) => string): string {
  return joinItems(count, (at) => `"/path${at}":{${toItem(at)}}`)
}

function getWith(members: string): string {
  return `"/a":{"get":{${members}}}`
}

function withSchema(schema: string): string {
  return getWith(`"parameters":[{"name":"p","in":"query","schema":${schema}}]`)
}

function withResponse(members: string): string {
  return getWith(`"responses":{"200":{"content":{"application/json":{${members}}}}}`)
}

function withSchemas(count: number, toSchema: (at: number) => string): string {
  return createDocumentText(withResponse(`"schema":${ref('s0')}`), {
    components: `{"schemas":{${joinItems(count, (at) => `"s${at}":${toSchema(at)}`)}}}`,
  })
}

function parameter(at: number): string {
  return `{"name":"p${at}","in":"query","schema":{"type":"string"}}`
}

function ref(name: string): string {
  return `{"$ref":"#/components/schemas/${name}"}`
}

function nest(open: string, close: string, depth: number): string {
  return `{"openapi":"3.0.0","x":${open.repeat(depth)}1${close.repeat(depth)}}`
}

/** Builds YAML whose aliases expand to `width` to the power of `levels` values. */
function multiplyAliases(levels: number, width: number): string {
  const rows = ['openapi: 3.0.0', 'x-a0: &a0 [x, x]']
  for (let level = 1; level <= levels; level += 1) {
    const aliases = joinItems(width, () => `*a${level - 1}`, ', ')
    rows.push(`x-a${level}: &a${level} [${aliases}]`)
  }
  return rows.join('\n')
}
