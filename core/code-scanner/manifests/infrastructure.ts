import { type Dependency, toDependency } from './dependencies.ts'

/**
 * Providers of a Terraform text: required ones, configured ones, those of modules, of the state's
 * backend, and of the first resource of each type.
 */
export function readTerraformProviders(text: string): readonly Dependency[] {
  const found: Dependency[] = []
  const types = new Set<string>()
  for (const match of text.matchAll(TERRAFORM_HEAD)) {
    const { index } = match
    const [, provider, type, backend = '', source] = match
    if (type && types.has(type)) continue
    if (type) types.add(type)
    // `hashicorp/aws` is a provider; `terraform-aws-modules/vpc/aws`, a module for one.
    const required = source?.split('/').length === 2 ? source : source?.replace(/.*\//, '')
    const name = provider ?? type?.split('_', 1)[0] ?? required ?? BACKENDS.get(backend)
    if (name) found.push(toDependency({ ecosystem: 'terraform', name, index }))
  }
  return found
}

const TERRAFORM_HEAD = lineStarts([
  /provider[ \t]+"([\w-]+)"/,
  /(?:resource|data)[ \t]+"(\w+)"/,
  /backend[ \t]+"(\w+)"/,
  /(?:[\w-]+[ \t]*=[ \t]*\{[ \t]*)?source[ \t]*=[ \t]*"([\w-]+(?:\/[\w-]+){1,2})"/,
])

/** Where a backend stores the state, by the provider of that service. */
const BACKENDS: ReadonlyMap<string, string> = new Map([
  ['s3', 'aws'],
  ['gcs', 'google'],
  ['remote', 'tfe'],
  ['azurerm', 'azurerm'],
  ['oss', 'alicloud'],
  ['cos', 'tencentcloud'],
])

/** Actions, orbs, pipes and tasks that a CI description uses. */
export function readPipeline(text: string): readonly Dependency[] {
  return [...text.matchAll(PIPELINE_STEP)].flatMap((match): readonly Dependency[] => {
    const { index } = match
    const [, action, pipe, task, orb] = match
    if (action === 'docker/login-action' && namesRegistry(text.slice(index))) return []
    if (action) return [toDependency({ ecosystem: 'githubactions', name: action, index })]
    if (pipe) return [toDependency({ ecosystem: 'bitbucketpipes', name: pipe, index })]
    if (task) return [toDependency({ ecosystem: 'azurepipelines', name: task, index })]
    return orb ? [toDependency({ ecosystem: 'circleci', name: orb, index })] : []
  })
}

const PIPELINE_STEP = lineStarts([
  /uses:[ \t]*["']?([\w.-]+(?:\/[\w.-]+)+)@/,
  /pipe:[ \t]*["']?([\w-]+\/[\w-]+):/,
  /task:[ \t]*["']?(\w+)@/,
  /[\w-]+:[ \t]*["']?([\w-]+\/[\w-]+)@\d/,
])

/** Whether a step that logs in names a registry of its own. */
function namesRegistry(text: string): boolean {
  const [step = ''] = text.slice(text.indexOf('\n')).split(/\n\s*-\s/, 1)
  const registry = /^\s*registry:\s*(\S+)/m.exec(step)?.[1]
  return registry !== undefined && !/docker\.(?:io|com)/.test(registry)
}

/** Modules that tasks of an Ansible text run: `amazon.aws.s3_bucket:`. */
export function readAnsible(text: string): readonly Dependency[] {
  return [...text.matchAll(/^[ \t]*(?:-[ \t]+)?([a-z_]\w*\.[a-z_]\w*\.[a-z_]\w*):/gm)].map(
    (match) => toDependency({ ecosystem: 'ansible', name: match[1] ?? '', index: match.index }),
  )
}

/** One expression for several beginnings of lines or items of lists. */
function lineStarts(starts: readonly RegExp[]): RegExp {
  return new RegExp(
    `^[ \\t]*(?:-[ \\t]+)?(?:${starts.map(({ source }) => source).join('|')})`,
    'gm',
  )
}
