import { defineOperations } from '../http/operation.ts'
import { flag, form, header, httpUrl, pageParams, required, text } from '../http/params.ts'
import { importListSchema, uploadResultSchema } from './wire.ts'

export const importOperations = defineOperations({
  uploadDescription: {
    method: 'POST',
    paths: ['/benchmark/upload_swagger'],
    section: '4.6',
    tag: 'imports',
    summary: 'Import an API description',
    description:
      'Swagger 2.0, OpenAPI 3.0 to 3.2, or the card of an MCP server (`server.json`, server card) or A2A agent, JSON or YAML. An API with the same kind, vendor, title and major version is updated in place; importing the same description again changes nothing. Operations that cannot be interpreted are skipped with a warning. Keys whose policy lists vendors or APIs cannot import (403 `call_not_permitted`).',
    scope: 'import',
    params: {
      vendor: required(header(text(200), 'Name of an existing vendor.')),
      category: required(header(text(100), 'Name of a category.')),
      base_url: header(httpUrl(), 'Absolute URL to resolve relative servers against.'),
      private: header(flag(), 'Mark the API as private.'),
      countries: form(text(1000), 'ISO 3166-1 alpha-2 codes, separated by commas.'),
    },
    body: {
      kind: 'file',
      name: 'file',
      mediaTypes: [
        'multipart/form-data',
        'application/x-www-form-urlencoded',
        'application/json',
        'application/yaml',
      ],
      description: 'The description, as the form part `file` or as the request body.',
    },
    output: { kind: 'json', schema: uploadResultSchema },
    problemMembers: ({ detail }) => ({ info: detail, result: 'Failure' }),
  },
  listImports: {
    method: 'GET',
    paths: ['/imports'],
    tag: 'extension',
    summary: 'List imports and their reports',
    description:
      'Imports of the account and of the operator (`imported_by` is null), including failed ones, newest first. The newest 1,000 of each are stored, with their first 100 warnings.',
    scope: 'read',
    params: { ...pageParams },
    output: { kind: 'json', schema: importListSchema },
  },
})
