import type { SourceFile } from './finding.ts'
import { matchPaths, PAGE_PATHS } from './path-patterns.ts'

/**
 * Whether a place in a file is in a comment that begins a line, or in a block of at most 2,000
 * characters. In `data`, any `#` and `;` at the start of a line begin a comment.
 */
export function isInComment(
  { path, text }: SourceFile,
  index: number,
  kind: 'code' | 'data' = 'code',
): boolean {
  const from = Math.max(0, index - MAX_COMMENT)
  // The mark keeps the middle of a long line from being read as its beginning.
  const before = (from > 0 ? '…' : '') + text.slice(from, index)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const mark = (kind === 'data' ? DATA_LINE : CODE_LINE).exec(
    line + text.slice(index, index + 4),
  )?.[1]
  const hasBlocks = before.includes('/*') && BLOCK_FILES.test(path)
  if (mark && (mark !== '/*' || hasBlocks)) return !/\*\/|-->/.test(line)
  if (before.includes('<!--') && MARKUP_FILES.test(path)) {
    const tag = before.replaceAll(/["'`]<!--/g, '     ').lastIndexOf('<!--')
    if (tag >= 0 && !before.includes('-->', tag)) return true
  }
  const block = hasBlocks ? before.lastIndexOf('/*') : -1
  if (block < 0 || before.includes('*/', block)) return false
  // Paths have the same mark: `src/*`.
  return /^[ \t]*\{?$/.test(before.slice(before.lastIndexOf('\n', block) + 1, block))
}

const CODE_LINE = /^[ \t]*(?:\{(?=\/\*))?(\/[/*]|\*(?=[\s*/])|#(?=[\s#!])|<!--)/
const DATA_LINE = /^[ \t]*(\/[/*]|[*#;]|<!--)/

/** Characters before a place in which its comment may begin. */
const MAX_COMMENT = 2000

/** Files with comments of `<!--`. */
const MARKUP_FILES = matchPaths(`${PAGE_PATHS}
  *.{xml,xsd,xsl,xslt,svg,xaml,axaml,plist,config,pom,resx,nuspec,props,targets,md,mdx,markdown}
  *.{csproj,fsproj,vbproj}`)

/** Files with comments of `/*`. */
const BLOCK_FILES = matchPaths(`${PAGE_PATHS} Jenkinsfile{,.*}
  *.{js,mjs,cjs,jsx,ts,mts,cts,tsx,java,kt,kts,scala,sc,sbt,groovy,gradle,cs,csx,go,rs,swift,dart}
  *.{c,h,cc,cpp,cxx,hpp,hh,m,mm,d,v,sol,nix,sql,css,scss,sass,less,proto,thrift,bicep,jsonnet,libsonnet}
  *.{json,jsonc,json5,tf,tfvars,hcl,tofu}{,.example,.sample,.dist}`)
