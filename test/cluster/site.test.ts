/** The website of the pages, built as `npm run docs` does, with the playground in it. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import axe from 'axe-core'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { imagesOf, stagePages } from '../../bin/site/stage-pages.ts'
import { startBrowser } from './browser.ts'
import { StaticServer } from './static-server.ts'

const DIST = 'docs/site/dist'
const VERSION = JSON.parse(readFileSync('package.json', 'utf8')).version
/** In what opens the playground: the rest of the page is VitePress. */
const FOUND_BY_AXE = `axe.run('.in-place', { iframes: false }).then(({ violations }) => violations.map(({ id }) => id))`
const SETTINGS = { ROLEBOOK_VERSIONS: '{"0.0.1": "https://example.com/0.0.1/"}' }

describe('the website', function () {
  this.timeout(600_000)

  before(() => {
    // So that nothing of a former build is looked at.
    rmSync(DIST, { recursive: true, force: true })
    if (existsSync('docs/site/node_modules/vitepress')) return
    const install = ['ci', '--prefix', 'docs/site', '--no-audit', '--no-fund']
    const npm = spawnSync('npm', install, { encoding: 'utf8' })
    expect(npm.status, npm.stderr).to.equal(0)
  })

  it('is built without a warning, with all pages, pictures and a search', () => {
    const build = spawnSync(execPath, ['bin/site.ts'], { encoding: 'utf8', env: { ...env, ...SETTINGS } })
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
  const WAYS = [
    { from: '', link: 'Open the playground', shows: '01-config-hash' },
    { from: 'examples/08-blue-green/', link: 'Open in the playground', shows: '08-blue-green' },
    { from: 'cookbook', link: 'Open in the playground', shows: '' },
    { from: 'tutorial', link: 'Playground', shows: '01-config-hash' },
  ]
  describe('leads to the playground', () => {
    let browser: Browser | undefined
    let server: StaticServer
    before(async function () {
      browser = await startBrowser('the playground of the website')
      if (!browser) this.skip() // without a browser there is nothing to look at
      server = await StaticServer.start(DIST, {})
    })
    after(async () => {
      await browser?.close()
      await server?.stop()
    })

    for (const { from, link, shows } of WAYS) {
      it(`from /${from} by "${link}"`, async () => {
        const page = await (browser as Browser).newPage()
        page.setDefaultTimeout(120_000)
        const complaints: string[] = []
        page.on('pageerror', ({ message }) => complaints.push(message))
        page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
        await page.goto(server.url + from)
        await page.getByRole('link', { name: link, exact: true }).first().click()
        await page.getByRole('status').filter({ hasText: 'The cluster runs.' }).waitFor()
        expect(await page.getByRole('combobox', { name: 'Project' }).inputValue()).to.equal(shows)
        expect(complaints).to.deep.equal([])
        await page.close()
      })
    }

    const IN_PLACE = [
      {
        of: 'an example',
        from: 'examples/08-blue-green/',
        heading: '',
        title: '08-blue-green',
        shows: '08-blue-green',
      },
      ...[
        { of: 'a recipe', from: 'cookbook', title: 'Generate a password once' },
        { of: 'the tutorial', from: 'tutorial', title: '4. Test the change' },
      ].map((one) => ({ ...one, heading: one.title, shows: '' })),
    ]
    for (const { of, from, heading, title, shows } of IN_PLACE) {
      it(`and opens it beside ${of}, where nothing of it is fetched before`, async () => {
        const page = await (browser as Browser).newPage()
        page.setDefaultTimeout(120_000)
        const complaints: string[] = []
        const fetched: string[] = []
        page.on('pageerror', ({ message }) => complaints.push(message))
        page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
        page.on('request', (request) => request.url().startsWith(`${server.url}play/`) && fetched.push(request.url()))
        await page.goto(server.url + from)
        const frame = page.frameLocator(`iframe[title="Playground: ${title}"]`)
        const button = page
          .locator(heading === '' ? '.in-place' : `h2:has-text("${heading}") ~ .in-place`)
          .first()
          .getByRole('button')
        await button.waitFor()
        expect(fetched, 'before it is opened').to.deep.equal([])
        await button.click()
        await frame.getByRole('status').filter({ hasText: 'The cluster runs.' }).waitFor()
        expect(await frame.getByRole('combobox', { name: 'Project' }).inputValue()).to.equal(shows)
        expect(await frame.getByRole('complementary', { name: 'Tour' }).count(), 'no tour').to.equal(0)
        await page.evaluate(axe.source)
        expect(await page.evaluate<string[]>(FOUND_BY_AXE)).to.deep.equal([])
        await button.click()
        await page.locator('iframe').waitFor({ state: 'detached' })
        expect(complaints).to.deep.equal([])
        await page.close()
      })
    }

    it('and to other versions, from its menu', async () => {
      const page = await (browser as Browser).newPage()
      await page.goto(server.url)
      await page.getByRole('button', { name: VERSION }).first().hover()
      const other = page.getByRole('link', { name: '0.0.1' }).first()
      await other.waitFor()
      expect(await other.getAttribute('href')).to.equal('https://example.com/0.0.1/')
      await page.close()
    })
  })
})
