/**
 * Builds the website of `docs/` into `docs/site/dist`, after `npm ci` in `docs/site`, and the playground below it.
 *
 * - `ROLEBOOK_SOURCE_URL`: where files of the repository can be read that are no pages, such as `https://github.com/…/blob/main`
 * - `ROLEBOOK_VERSIONS`: the addresses of other versions by their names, as JSON
 * - `ROLEBOOK_SITE_BASE`: the path of the website on its server. Defaults to `/`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process, { env, execPath } from 'node:process'
import { navigation, parseVersions } from './site/navigation.ts'
import { PLAYGROUND, withPlaygroundLinks } from './site/playground-links.ts'
import { sideBar } from './site/side-bar.ts'
import { imagesOf, type StagedPage, stagePages } from './site/stage-pages.ts'

const ROOT = join(import.meta.dirname, '..')
const SITE = join(ROOT, 'docs/site')

process.chdir(ROOT)
// Elsewhere than in the repository, whose tsconfig.json is for another program than VitePress.
const work = mkdtempSync(join(tmpdir(), 'rolebook-site-'))
try {
  await stage(work)
  process.exitCode = build(work) || buildPlayground()
} finally {
  rmSync(work, { recursive: true })
}

/** Puts everything that VitePress reads into a folder. */
async function stage(folder: string): Promise<void> {
  const pages = await withPlaygroundLinks(stagePages({ sourceUrl: env.ROLEBOOK_SOURCE_URL }))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const { target, text } of pages) write(`pages/${target}`, text)
  for (const image of imagesOf(pages)) cpSync(image, join(folder, 'pages/public', image))
  write('site.json', JSON.stringify(settingsOf(pages)))
  cpSync(join(SITE, '.vitepress'), join(folder, '.vitepress'), { recursive: true })
  symlinkSync(join(SITE, 'node_modules'), join(folder, 'node_modules'))
}

function settingsOf(pages: readonly StagedPage[]) {
  const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'))
  return {
    title: 'rolebook',
    description,
    base: env.ROLEBOOK_SITE_BASE || '/',
    nav: navigation(version, parseVersions(env.ROLEBOOK_VERSIONS || '{}')),
    sidebar: sideBar(pages, readFileSync('README.md', 'utf8')),
  }
}

/** @returns the exit code */
function build(folder: string): number {
  const vitepress = join(folder, 'node_modules/vitepress/bin/vitepress.js')
  const { status } = spawnSync(execPath, [vitepress, 'build'], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) return 1
  rmSync(join(SITE, 'dist'), { recursive: true, force: true })
  cpSync(join(folder, 'dist'), join(SITE, 'dist'), { recursive: true })
  return 0
}

/** @returns the exit code */
function buildPlayground(): number {
  const program = join(ROOT, 'bin/build-playground.ts')
  return spawnSync(execPath, [program, '--out', join(SITE, 'dist', PLAYGROUND)], { stdio: 'inherit' }).status ?? 1
}
