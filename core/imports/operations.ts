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
      'Swagger 2.0 or OpenAPI 3.0 to 3.2, JSON or YAML. The same API (vendor, title, major version) is updated in place; importing the same description again changes nothing. What cannot be understood in one operation is skipped with a warning. A key whose policy lists vendors or APIs may not import (403 `call_not_permitted`).',
    scope: 'import',
    params: {
      vendor: required(header(text(200), 'Name of a vendor that exists.')),
      category: required(header(text(100), 'Name of a category.')),
      base_url: header(httpUrl(), 'Absolute URL against which relative servers are resolved.'),
      private: header(flag(), 'Marks the API as not public.'),
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
      description: 'The description: as part `file` of a form, or as the body itself.',
    },
    output: { kind: 'json', schema: uploadResultSchema },
    problemMembers: (detail) => ({ info: detail, result: 'Failure' }),
  },
  listImports: {
    method: 'GET',
    paths: ['/imports'],
    tag: 'extension',
    summary: 'List imports with their reports',
    description:
      'Those of the account and those of the operator (`imported_by` is null), newest first, failed ones too. The newest 1,000 of each are kept, with the first 100 warnings.',
    scope: 'read',
    params: { ...pageParams },
    output: { kind: 'json', schema: importListSchema },
  },
})
