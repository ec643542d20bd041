import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import chromium from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContext,
  type Page,
  chromium as playwright,
} from 'playwright-core'
import { expect } from 'vitest'

/** Why no browser is available; undefined if there is one. Playwright works only on Node. */
export const NO_BROWSER: string | undefined =
  process.versions.bun || 'Deno' in globalThis
    ? 'the driver of the browser runs on Node; the pages are the same on every runtime'
    : process.platform === 'linux' && process.arch === 'x64'
      ? undefined
      : 'the browser that npm brings is for Linux on x64'

/** Starts a browser that can reach only this machine. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    args: [
      ...chromium.args.filter((argument) => !UNSUITABLE.test(argument)),
      '--disable-gpu',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
    executablePath: await unpackBrowser(),
    headless: true,
  })
}

/** In single-process mode, it exits with its first page. Emulating a GPU takes time. */
const UNSUITABLE =
  /^--(?:single-process|in-process-gpu|ignore-gpu-blocklist|use-gl|use-angle|enable-unsafe-swiftshader)/

/**
 * Returns the path of the browser and unpacks it if necessary. The package unpacks in place, where
 * another process could start a partially written file (`ETXTBSY`). So it unpacks in a temporary
 * folder, which is renamed when complete.
 */
async function unpackBrowser(): Promise<string> {
  const folder = join(tmpdir(), 'api-discovery-browser')
  const program = join(folder, 'chromium')
  const isThere = await access(program).then(
    () => true,
    () => false,
  )
  if (isThere) return program
  const own = await mkdtemp(`${folder}-`)
  try {
    const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: own },
    })
    await rename(own, folder)
  } catch (error) {
    await rm(own, { recursive: true, force: true })
    // Another process was first.
    if (!(error instanceof Error && 'code' in error && RENAMED.has(String(error.code)))) throw error
  }
  return program
}

const RENAMED = new Set(['EEXIST', 'ENOTEMPTY'])

/** A user's browser window. */
export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Script errors, content security policy violations and failed loads. */
  readonly complaints: readonly string[]
}

/** Opens a separate window with its own cookies, whose pages have the functions of `page-checks.js`. */
export async function visit(
  browser: Browser,
  options: {
    readonly hasScripts?: boolean
    readonly isDark?: boolean
    readonly width?: number
  } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    javaScriptEnabled: options.hasScripts ?? true,
    colorScheme: options.isDark ? 'dark' : 'light',
    viewport: { width: options.width ?? 1280, height: 900 },
    acceptDownloads: true,
  })
  // Unlike scripts that are evaluated in each page, the browser compiles these once.
  for (const content of await readChecks()) await context.addInitScript({ content })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { context, page, complaints }
}

/**
 * Expects that axe reports no violations on the current page, and that third-party text is rendered
 * only as text. Needs scripts.
 */
export async function expectSound(page: Page): Promise<void> {
  expect(await page.evaluate('findViolations()'), page.url()).toEqual([])
  expect(await page.evaluate('findIntruders()'), page.url()).toEqual([])
}

/**
 * Saves screenshots of a page (light, dark, phone width) in the folder `API_DISCOVERY_SCREENSHOTS`,
 * if this variable is set.
 */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.API_DISCOVERY_SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  const shots = [
    { name: `${name}-light`, isDark: false, width: 1280 },
    { name: `${name}-dark`, isDark: true, width: 1280 },
    { name: `${name}-phone`, isDark: false, width: 390 },
  ]
  for (const shot of shots) {
    await page.emulateMedia({ colorScheme: shot.isDark ? 'dark' : 'light' })
    await page.setViewportSize({ width: shot.width, height: 900 })
    await page.screenshot({
      path: join(folder, `${shot.name}.png`),
      fullPage: true,
      // Playwright's hidden caret would leave styles on the fields.
      caret: 'initial',
    })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

let checks: Promise<readonly [axe: string, functions: string]> | undefined

function readChecks(): Promise<readonly [axe: string, functions: string]> {
  checks ??= Promise.all([
    readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    readFile(new URL('page-checks.js', import.meta.url), 'utf8'),
  ])
  return checks
}
