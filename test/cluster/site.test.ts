/** The website of the pages, built as `npm run docs` does. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { imagesOf, stagePages } from '../../bin/site/stage-pages.ts'

const DIST = 'docs/site/dist'

describe('the website', function () {
  this.timeout(600_000)

  before(() => {
    if (existsSync('docs/site/node_modules/vitepress')) return
    const install = ['ci', '--prefix', 'docs/site', '--no-audit', '--no-fund']
    const npm = spawnSync('npm', install, { encoding: 'utf8' })
    expect(npm.status, npm.stderr).to.equal(0)
  })

  it('is built without a warning, with all pages, pictures and a search', () => {
    const build = spawnSync(execPath, ['bin/site.ts'], { encoding: 'utf8' })
    const said = build.stdout + build.stderr
    expect(build.status, said).to.equal(0)
    expect(said).to.not.match(/warn|dead link|error/i)
    const pages = stagePages()
    for (const { target } of pages)
      expect(existsSync(join(DIST, target.replace(/\.md$/, '.html'))), target).to.equal(true)
    for (const image of imagesOf(pages)) expect(existsSync(join(DIST, image)), image).to.equal(true)
    const [index = ''] = globSync(`${DIST}/assets/chunks/@localSearchIndexroot.*.js`)
    expect(readFileSync(index, 'utf8')).to.include('Generate a password once')
  })
})
