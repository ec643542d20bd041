import { type Dependency, sectionsOf, tablesOf, toDependency } from './dependencies.ts'

/** `package.json`; packages of the project itself (`workspace:`, `file:`) are left out. */
export function readPackageJson(text: string): readonly Dependency[] {
  const open = /"(?:dependencies|devDependencies|peerDependencies|optionalDependencies)"\s*:\s*\{/g
  return sectionsOf(text, { open, close: '}' }).flatMap((section) =>
    [
      ...section.text.matchAll(/"([^"\s]+)"\s*:\s*"(?!(?:workspace|file|link|portal):)([^"\n]*)"/g),
    ].map((match) =>
      toDependency({
        ecosystem: 'npm',
        name: match[1] ?? '',
        version: match[2],
        index: section.start + match.index,
      }),
    ),
  )
}

/** Imports of `deno.json` and of import maps. */
export function readDenoJson(text: string): readonly Dependency[] {
  return [...text.matchAll(/"npm:\/?((?:@[^/"@\s]+\/)?[^/"@\s]+)(?:@([^/"\s]*))?[^"\n]*"/g)].map(
    (match) =>
      toDependency({
        ecosystem: 'npm',
        name: match[1] ?? '',
        version: match[2],
        index: match.index,
      }),
  )
}

/** `requirements.txt` and constraints. */
export function readRequirements(text: string): readonly Dependency[] {
  return [...text.matchAll(/^[ \t]*(?:- )?([A-Za-z0-9][\w.-]*)(.*)$/gm)].map((match) =>
    toPython({ name: match[1] ?? '', rest: match[2] ?? '', index: match.index }),
  )
}

/** `pyproject.toml` and `Pipfile`. */
export function readPyproject(text: string): readonly Dependency[] {
  return tablesOf(text).flatMap((table) => {
    const isNamed =
      /(?:^|\.)(?:dependencies|dev-dependencies)$/.test(table.name) ||
      /^(?:dev-)?packages$/.test(table.name)
    if (isNamed && table.name !== 'project.optional-dependencies') {
      return [...table.text.matchAll(/^[ \t]*"?([A-Za-z0-9][\w.-]*)"?[ \t]*=[ \t]*(.*)$/gm)].map(
        (match) => {
          const version = /(?:^|version\s*=\s*)"={0,2}([^"]*)"/.exec(match[2] ?? '')?.[1]
          const index = table.start + match.index
          return toDependency({ ecosystem: 'pypi', name: match[1] ?? '', version, index })
        },
      )
    }
    const isList = /^(?:project|project\.optional-dependencies|dependency-groups|build-system)$/
    if (!isList.test(table.name)) return []
    const lists =
      table.name === 'project'
        ? sectionsOf(table.text, { open: /^[ \t]*dependencies[ \t]*=[ \t]*\[/gm, close: '\n]' })
        : [{ text: table.text, start: 0 }]
    return lists.flatMap((list) =>
      [...list.text.matchAll(/["']([A-Za-z0-9][\w.-]*)([^"'\n]*)["']/g)].map((match) =>
        toPython({
          name: match[1] ?? '',
          rest: match[2] ?? '',
          index: table.start + list.start + match.index,
        }),
      ),
    )
  })
}

/** `setup.py` and `setup.cfg`. */
export function readSetup(text: string): readonly Dependency[] {
  const quoted = sectionsOf(text, {
    open: /\b(?:install_requires|extras_require)\s*=\s*[[{(]/g,
    close: '\n)',
  })
  const listed = sectionsOf(text, { open: /^install_requires[ \t]*=[ \t]*$/gm, close: '\n[' })
  return [
    ...quoted.flatMap((section) =>
      [...section.text.matchAll(/["']([A-Za-z0-9][\w.-]*)((?:\[|[<>=!~])[^"'\n]*)?["']/g)].map(
        (match) =>
          toPython({
            name: match[1] ?? '',
            rest: match[2] ?? '',
            index: section.start + match.index,
          }),
      ),
    ),
    ...listed.flatMap((section) =>
      [...section.text.matchAll(/^[ \t]+([A-Za-z0-9][\w.-]*)(.*)$/gm)].map((match) =>
        toPython({
          name: match[1] ?? '',
          rest: match[2] ?? '',
          index: section.start + match.index,
        }),
      ),
    ),
  ]
}

/** `Gemfile` and `*.gemspec`. */
export function readGemfile(text: string): readonly Dependency[] {
  const gems =
    /^[ \t]*(?:gem|\w+\.add(?:_\w+)?_dependency)[ \t(]+['"]([\w.-]+)['"](?:[ \t]*,[ \t]*['"]([^'"\n]*)['"])?/gm
  return [...text.matchAll(gems)].map((match) =>
    toDependency({
      ecosystem: 'gem',
      name: match[1] ?? '',
      version: match[2]?.replace(/^=?\s*/, ''),
      index: match.index,
    }),
  )
}

/** `composer.json`. */
export function readComposerJson(text: string): readonly Dependency[] {
  return sectionsOf(text, { open: /"require(?:-dev)?"\s*:\s*\{/g, close: '}' }).flatMap((section) =>
    [...section.text.matchAll(/"([\w.-]+\/[\w.-]+)"\s*:\s*"([^"\n]*)"/g)].map((match) =>
      toDependency({
        ecosystem: 'composer',
        name: match[1] ?? '',
        version: match[2],
        index: section.start + match.index,
      }),
    ),
  )
}

/** A requirement of PEP 508 by its name and what follows it. */
function toPython(given: {
  readonly name: string
  readonly rest: string
  readonly index: number
}): Dependency {
  const version = /^(?:\[[^\]]*\])?\s*={2,3}\s*([\w.+!-]+)/.exec(given.rest)?.[1]
  return toDependency({ ecosystem: 'pypi', name: given.name, version, index: given.index })
}
