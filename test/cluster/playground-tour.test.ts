/** The tour of the playground, done by a person in Chromium. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { shippedProjects } from '../../bin/shipped-projects.ts'
import type { ProjectTexts } from '../../src/rolebook/playground/protocol.ts'
import { TOUR_ROLE as TOUR_PROJECT, tourFiles } from '../../src/rolebook/playground/tour.ts'
import { NOTE_PROJECT } from '../rolebook/cli/note-project.ts'
import { PlaygroundPage } from './playground-page.ts'
import { Screenshots } from './screenshots.ts'

/** Counts in `opened` the samples of each project that the page asks its worker to open. */
const KEEP_OPENED = `
  globalThis.opened = []
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (message) {
    const { type, files = {} } = message.request
    if (type === 'open') opened.push(Object.keys(files).filter((path) => path.includes('/samples/')).length)
    postMessage.call(this, message)
  }`

describe('the tour of the playground in a browser', function () {
  this.timeout(600_000)
  const playground = new PlaygroundPage('the tour of the playground')
  const says = (text: string): Promise<void> => playground.says(text)
  const show = (name: string): Promise<void> => playground.show(name)
  let page: Page
  let files: ProjectTexts
  beforeEach(() => {
    page = playground.page
    files = tourFiles(shippedProjects().find(({ name }) => name === TOUR_PROJECT)?.files ?? {})
  })

  const tour = () => page.getByRole('complementary', { name: 'Tour' })
  const step = (text: string): Promise<void> => tour().getByText(text).waitFor()
  const control = () => page.locator('[data-pointed]')
  /** Waits until the tour points at the control with this label. */
  const pointsAt = (label: string): Promise<void> => page.locator(`[data-pointed][aria-label="${label}"]`).waitFor()
  const SAMPLE = 'roles/memcached/samples/memcached.yaml'
  const ROLE = 'roles/memcached/role.yaml'

  /** Edits the file that the tour leads to, by the keyboard alone. */
  async function edit(path: string, from: string, to: string): Promise<void> {
    const text = files[path] ?? ''
    expect(text, 'what the step is about').to.include(from)
    files = { ...files, [path]: text.replace(from, to) }
    await page.locator(`.file[aria-label^="${path}"]`).click()
    await show('Show me where')
    await page.locator('.cm-editor.cm-focused').waitFor()
    await playground.write(files[path] ?? '')
  }

  it('is offered on the first visit, and stays closed when it was closed', async () => {
    await page.goto(playground.url)
    await step('New here?')
    expect(await playground.violations()).to.deep.equal([])
    await tour().getByRole('button', { name: 'Close the tour' }).focus()
    await page.keyboard.press('Escape')
    await tour().waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent'), 'the focus').to.equal('Tour')
    await page.reload()
    await says('The cluster runs.')
    expect(await tour().count()).to.equal(0)
    await show('Tour')
    await step('New here?')
  })

  it('is started before the page has loaded all it needs: the project that was opened last is the one that runs', async () => {
    const loaded = Promise.withResolvers<void>()
    await page.route('**/builtin-schemas.bin.gz', async (route) => {
      await loaded.promise
      await route.continue()
    })
    await page.addInitScript(KEEP_OPENED)
    await page.goto(playground.url)
    await tour().getByRole('button', { name: 'Start the tour' }).click()
    await step('Step 1 of 7: Look.')
    loaded.resolve()
    await says('The cluster runs.')
    expect(await control().textContent(), 'the cluster that is said to run').to.include('default/memcached-second')
    expect(await page.evaluate('opened'), 'how many resources each project has that was opened').to.deep.equal([1, 2])
    await show('Writes')
    const written = await page.locator('.writes .item-name').allTextContents()
    expect(written).to.include('Memcached default/memcached-second')
    const others = written.filter((name) => !name.includes('default/memcached-'))
    expect(others, 'writes in the cluster of the first project').to.deep.equal([])
  })

  it('is not offered to those who open something else', async () => {
    await playground.open(NOTE_PROJECT)
    expect(await tour().count()).to.equal(0)
  })

  it('goes on as things happen in the cluster, and ends with the deletion', async () => {
    await page.goto(playground.url)
    await tour().getByRole('button', { name: 'Start the tour' }).click()
    await step('Step 1 of 7: Look.')
    expect(await page.evaluate('document.activeElement.textContent'), 'the focus').to.equal('Show me where')
    await control().getByText('default/memcached-second').waitFor()
    await show('Show me where')
    await page.keyboard.press('Enter')

    await step('Step 2 of 7')
    await pointsAt(SAMPLE)
    await edit(SAMPLE, 'size: 3', 'size: 5')
    await step('Step 3 of 7')

    await control().getByText('Objects', { exact: true }).waitFor()
    await show('Objects')
    await show('Scale Deployment default/memcached-sample down')
    await step('Step 4 of 7')
    await edit(
      ROLE,
      '        name: ${metadata.name}\n',
      '        name: ${metadata.name}\n        labels: { tier: web }\n',
    )
    await step('Step 5 of 7')
    expect(await tour().textContent()).to.include('Every Memcached has followed')

    await page.reload()
    await step('Step 5 of 7')
    await says('It has your changes.')
    await edit(ROLE, 'ensure:', 'ensur:')
    await step('Step 6 of 7')
    await control().getByText('Replace with ensure', { exact: true }).waitFor()
    await control().click()
    await step('Step 7 of 7')
    await show('Objects')
    await pointsAt('Delete Memcached default/memcached-second')
    await control().click()
    await step('That was the tour.')
    expect(await control().count()).to.equal(0)
  })

  const screenshots = new Screenshots('tour')
  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [1280, 768, 390]) {
      it(`is usable by all at ${width} pixels, ${scheme}`, async () => {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 844 })
        await page.goto(`${playground.url}#tour`)
        await control().getByText('default/memcached-second').waitFor()
        expect(await playground.violations()).to.deep.equal([])
        await control().click()
        await step('Step 2 of 7')
        expect(await playground.violations()).to.deep.equal([])
        await screenshots.take(page, `${width}-${scheme}`)
        const wide = await page.evaluate('document.documentElement.scrollWidth')
        expect(wide, 'nothing is wider than the screen').to.be.at.most(width)
      })
    }
  }
})
