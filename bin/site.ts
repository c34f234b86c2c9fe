/**
 * Builds the website of `docs/` into `docs/site/dist`, after `npm ci` in `docs/site`. `ROLEBOOK_SOURCE_URL` says where files
 * of the repository can be read that are no pages, such as `https://github.com/…/blob/main`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process, { env, execPath } from 'node:process'
import { sideBar } from './site/side-bar.ts'
import { imagesOf, stagePages } from './site/stage-pages.ts'

const ROOT = join(import.meta.dirname, '..')
const SITE = join(ROOT, 'docs/site')
const STAGED = join(SITE, 'pages')

process.chdir(ROOT)
const pages = stagePages({ sourceUrl: env.ROLEBOOK_SOURCE_URL })
const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'))
const site = {
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

rmSync(STAGED, { recursive: true, force: true })
for (const { target, text } of pages) write(target, text)
for (const image of imagesOf(pages)) {
  mkdirSync(dirname(join(STAGED, 'public', image)), { recursive: true })
  cpSync(image, join(STAGED, 'public', image))
}
write('site.json', JSON.stringify(site))
const build = spawnSync(execPath, [join(SITE, 'node_modules/vitepress/bin/vitepress.js'), 'build', SITE], {
  stdio: 'inherit',
})
process.exitCode = build.status ?? 1

function write(path: string, text: string): void {
  mkdirSync(dirname(join(STAGED, path)), { recursive: true })
  writeFileSync(join(STAGED, path), text)
}
