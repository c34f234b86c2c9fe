/**
 * Builds the website of `docs/` into `docs/site/dist`, after `npm ci` in `docs/site`. `ROLEBOOK_SOURCE_URL` says where files
 * of the repository can be read that are no pages, such as `https://github.com/…/blob/main`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process, { env, execPath } from 'node:process'
import { type SideBarItem, sideBar } from './site/side-bar.ts'
import { imagesOf, type StagedPage, stagePages } from './site/stage-pages.ts'

const ROOT = join(import.meta.dirname, '..')
const SITE = join(ROOT, 'docs/site')

process.chdir(ROOT)
// Elsewhere than in the repository, whose tsconfig.json is for another program than VitePress.
const work = mkdtempSync(join(tmpdir(), 'rolebook-site-'))
try {
  stage(work)
  process.exitCode = build(work)
} finally {
  rmSync(work, { recursive: true })
}

/** Puts everything that VitePress reads into a folder. */
function stage(folder: string): void {
  const pages = stagePages({ sourceUrl: env.ROLEBOOK_SOURCE_URL })
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

function settingsOf(pages: readonly StagedPage[]): Readonly<Record<string, string | readonly SideBarItem[]>> {
  const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'))
  return {
    title: 'rolebook',
    description,
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Cookbook', link: '/cookbook' },
      { text: 'Reference', link: '/reference/' },
      { text: version, link: '/CHANGELOG' },
    ],
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
