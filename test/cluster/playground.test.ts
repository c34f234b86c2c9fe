/** The playground in Chromium: each project that it brings along, what a person does with one, and who uses it without a mouse. */
import { readFileSync } from 'node:fs'
import { stdout } from 'node:process'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { shippedProjects } from '../../bin/shipped-projects.ts'
import { loadRoleTests } from '../../src/rolebook/library/testing.ts'
import type { ProjectTexts } from '../../src/rolebook/playground/protocol.ts'
import { NOTE_PROJECT } from '../rolebook/cli/note-project.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import { PlaygroundPage, NOTE_ROLE as ROLE, workload } from './playground-page.ts'
import { Screenshots } from './screenshots.ts'

const MOST_BYTES = 1_200_000
const LOADED = ['index.html', 'page.js', 'styles.css', 'worker.js', 'projects.json', 'builtin-schemas.bin.gz']

const NOTE: ProjectTexts = {
  ...NOTE_PROJECT,
  'roles/note/tests/wrong.yaml': `given: [../samples/hello.yaml]
steps:
  - name: the text is another one
    expect: [{kind: ConfigMap, name: hello, data: {text: three}}]
`,
}

describe('the playground in a browser', function () {
  this.timeout(600_000)
  const playground = new PlaygroundPage('the playground')
  const says = (text: string): Promise<void> => playground.says(text)
  const show = (name: string): Promise<void> => playground.show(name)
  const open = (files: ProjectTexts): Promise<void> => playground.open(files)
  const folder = temporaryFolder()
  let page: Page
  beforeEach(() => {
    page = playground.page
  })

  it('is small, and ready soon', async () => {
    const begun = performance.now()
    await page.goto(playground.url)
    await says('The cluster runs.')
    const milliseconds = Math.round(performance.now() - begun)
    const bytes = LOADED.reduce((sum, name) => sum + packedSize(playground.file(name)), 0)
    stdout.write(
      `    ready after ${milliseconds} ms (aim: 2000), ${Math.round(bytes / 1000)} kB compressed (limit: 1200)\n`,
    )
    expect(bytes).to.be.below(MOST_BYTES)
  })

  it('has the six roles and the twelve examples', async () => {
    const names = shippedProjects().map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('role '))).to.have.length(6)
    expect(names.filter((name) => /^\d\d-/.test(name))).to.have.length(12)
    await page.goto(playground.url)
    await says('The cluster runs.')
    expect(await page.getByRole('combobox', { name: 'Project' }).locator('option').allTextContents()).to.deep.equal(
      names,
    )
  })

  for (const { name, files } of shippedProjects()) {
    it(`runs ${name}, and its tests are green`, async () => {
      await open(files)
      expect(
        await page.locator('.rows .badge.tone-bad, .resource-head .badge.tone-bad').allTextContents(),
      ).to.deep.equal([])
      await show('Tests')
      await show('Run the tests')
      const tests = Object.keys(files).filter((path) => path.includes('/tests/'))
      await page
        .locator('.results > li')
        .nth(tests.length - 1)
        .waitFor()
      expect(await page.locator('.results .badge').allTextContents()).to.deep.equal(tests.map(() => 'passed'))
      expect(await page.locator('.results .item-name').allTextContents()).to.deep.equal(tests)
    })
  }

  it('says of a test that fails what Node says', async () => {
    await open(NOTE)
    await show('Tests')
    await show('Run the tests')
    const shown = await page.locator('.results pre').textContent()
    writeFiles(folder.at('note'), NOTE)
    const [test] = await loadRoleTests({ folder: folder.at('note') })
    const { report = '' } = (await test?.run()) ?? {}
    expect(withoutTimes(shown ?? '')).to.equal(withoutTimes(report.replaceAll(`${folder.at('note')}/`, '')))
    expect(shown).to.include('FAIL')
  })

  /** Asks for another path, and looks at the input before the page is painted. */
  const CURSOR_AT_FIRST = `new Promise((resolve) => {
    new MutationObserver(() => {
      const input = document.querySelector('.path-form input')
      if (input) resolve([document.activeElement === input, input.selectionStart === input.value.length])
    }).observe(document.body, { childList: true, subtree: true })
    document.querySelector('[aria-label^="Rename "]').click()
  })`

  describe('the list of files', () => {
    const TEST = 'roles/note/tests/new.yaml'
    const files = () => page.getByRole('navigation', { name: 'Files of the project' })
    const fileNamed = (path: string) => files().getByRole('button', { name: path, exact: true })
    const pathInput = () => files().getByRole('textbox')

    async function add(path: string): Promise<void> {
      await show('New file')
      await pathInput().fill(path)
      await page.keyboard.press('Enter')
    }

    async function rename(from: string, to: string): Promise<void> {
      await fileNamed(from).click()
      await show(`Rename ${from}`)
      await pathInput().fill(to)
      await show('Rename it')
      await says(`${from} is ${to} now.`)
    }

    it('has the cursor in the path as soon as there is one, so that no key is lost', async () => {
      await open(NOTE_PROJECT)
      expect(await page.evaluate(CURSOR_AT_FIRST)).to.deep.equal([true, true])
    })

    it('adds a role and moves files to it, and the cluster follows', async () => {
      await open(NOTE_PROJECT)
      await add('roles/tag/role.yaml')
      await says('roles/tag/role.yaml is added. The change is used.')
      await rename('roles/note/crd.yaml', 'roles/tag/crd.yaml')
      await rename('roles/note/samples/hello.yaml', 'roles/tag/samples/hello.yaml')
      await fileNamed('watches.yaml').click()
      await page.getByRole('textbox', { name: 'Text of watches.yaml' }).click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(NOTE_PROJECT['watches.yaml'].replace('role: note', 'role: tag'))
      await show('Objects')
      await page.getByRole('button', { name: 'Delete ConfigMap default/hello-settings' }).waitFor()
    })

    it('adds a test, which runs, and a chart, which the role may name', async () => {
      await open(NOTE_PROJECT)
      await show('New file')
      await show('Test')
      await pathInput().fill(TEST)
      await show('Add')
      await says(`${TEST} is added. The change is used.`)
      await add('roles/note/charts/app/Chart.yaml')
      await says('Chart.yaml is added. The change is used.')
      await add('roles/note/charts/app/templates/map.yaml')
      await page.getByRole('textbox', { name: 'Text of roles/note/charts/app/templates/map.yaml' }).click()
      await page.keyboard.insertText('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: of-chart }\n')
      await fileNamed(ROLE).click()
      await page.getByRole('textbox', { name: `Text of ${ROLE}` }).click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText('tasks:\n  - name: App\n    chart: { path: charts/app, kinds: [v1/ConfigMap] }\n')
      await show('Objects')
      await page.getByRole('button', { name: 'Delete ConfigMap default/of-chart' }).waitFor()
      await show('Tests')
      await show('Run the tests')
      await page.locator('.results > li').filter({ hasText: TEST }).getByText('passed').waitFor()
    })

    it('says why a file cannot be, as the command line does', async () => {
      await open(NOTE_PROJECT)
      await show('New file')
      const refused = [
        { path: '../role.yaml', problem: 'leads out of the project' },
        { path: 'roles/note/crd.yaml', problem: 'has this file already' },
        { path: 'roles/note/charts', problem: '`charts` of a role has another purpose' },
        { path: 'roles/note/more.yml', problem: 'rename it to more.yaml' },
      ]
      for (const { path, problem } of refused) {
        await pathInput().fill(path)
        await page.keyboard.press('Enter')
        await page.getByRole('alert').filter({ hasText: 'cannot add the file' }).filter({ hasText: problem }).waitFor()
      }
      expect(await playground.violations()).to.deep.equal([])
      await page.keyboard.press('Escape')
      await fileNamed('watches.yaml').click()
      await show('Delete watches.yaml')
      await says('cannot delete watches.yaml')
    })

    it('renames and deletes by the keyboard, and brings back what was deleted', async () => {
      await open(NOTE)
      await fileNamed('roles/note/tests/wrong.yaml').click()
      await page.keyboard.press('F2')
      await pathInput().fill(TEST)
      await page.keyboard.press('Enter')
      await says(`roles/note/tests/wrong.yaml is ${TEST} now. The change is used.`)
      await page.keyboard.press('Delete')
      await says(`${TEST} is deleted. The change is used.`)
      expect(await page.evaluate('document.activeElement.className'), 'the focus').to.equal('file')
      expect(await fileNamed(TEST).count()).to.equal(0)
      await show('Undo the deletion')
      await says(`${TEST} is back. The change is used.`)
      await page
        .getByRole('textbox', { name: `Text of ${TEST}` })
        .getByText('the text is another one')
        .waitFor()
      await show('Tests')
      await show('Run the tests')
      await page.locator('.results .item-name').first().waitFor()
      expect(await page.locator('.results .item-name').allTextContents()).to.deep.equal([TEST])
    })

    it('is the same after a reload, in a link, and as it was after a reset', async () => {
      await page.goto(`${playground.url}#example=02-database`)
      await says('The cluster runs.')
      await show('Delete roles/database/role.yaml')
      await show('Undo the deletion')
      await add('roles/database/tests/new.yaml')
      await says('new.yaml is added. The change is used.')
      await page.reload()
      await says('The cluster runs. It has your changes.')
      const added = fileNamed('roles/database/tests/new.yaml')
      expect(await added.getAttribute('aria-current')).to.equal('true')
      await show('Share')
      await says('a link to the project')
      const address = page.url()
      await show('Reset')
      await says('The cluster runs.')
      expect(await added.count()).to.equal(0)
      const other = await playground.newPage()
      await other.goto(address)
      await other.getByRole('button', { name: 'roles/database/tests/new.yaml', exact: true }).waitFor()
      await other.close()
    })
  })

  describe('the objects that objects own', () => {
    const graph = () => page.getByRole('region', { name: 'Graph of tasks and objects' })
    const titles = (): Promise<string[]> => graph().locator('title').allTextContents()
    const list = (owner: string) => page.getByRole('list', { name: `Owned by ${owner}` })

    it('are in the graph and in the list, and follow what is done to them', async () => {
      await open(workload('Deployment', 2))
      const pods = graph().locator('title', { hasText: 'Pod · Running 1/1 hello-' })
      await pods.nth(1).waitFor({ state: 'attached' })
      expect((await titles()).filter((title) => title.startsWith('ReplicaSet'))).to.have.length(1)
      const listed = page.locator('.owned .owned > li')
      expect(await listed.count()).to.equal(2)
      const [name = ''] = await listed.first().locator('.item-head > span').allTextContents()
      await show('Objects')
      await show(`Kill Pod default/${name}`)
      await show('Resources')
      await listed.filter({ hasText: name }).waitFor({ state: 'detached' })
      await pods.nth(1).waitFor({ state: 'attached' })
      expect(await playground.violations()).to.deep.equal([])
    })

    it('are as many as one can read', async () => {
      await open(workload('Deployment', 18))
      await graph().locator('title', { hasText: 'all ready +12 more' }).waitFor({ state: 'attached' })
      await page.locator('.owned .owned').getByText('+12 more, all ready').waitFor()
      expect((await titles()).filter((title) => title.startsWith('Pod'))).to.have.length(6)
    })

    it('are the Pods and claims of a StatefulSet', async () => {
      await open(workload('StatefulSet', 1))
      await graph().locator('title', { hasText: 'Pod · Running 1/1 hello-0: ready' }).waitFor({ state: 'attached' })
      const claim = list('StatefulSet default/hello').getByRole('listitem').filter({ hasText: 'data-hello-0' })
      await claim.filter({ hasText: 'Bound' }).waitFor()
    })
  })

  it('shows the project or the cluster alone', async () => {
    await open(NOTE)
    const project = page.getByRole('navigation', { name: 'Files of the project' })
    const cluster = page.getByRole('heading', { name: 'Cluster', exact: true })
    await show('Project')
    expect([await project.isVisible(), await cluster.isVisible()]).to.deep.equal([true, false])
    await show('Cluster')
    expect([await project.isVisible(), await cluster.isVisible()]).to.deep.equal([false, true])
  })

  it('lets the cluster follow an edit of the role', async () => {
    await open(NOTE)
    await page.getByRole('textbox', { name: `Text of ${ROLE}` }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(NOTE_PROJECT[ROLE].replace('${spec.text}', 'good evening'))
    await says('The change is used.')
    await show('Writes')
    const change = page.locator('.writes > li').filter({ hasText: 'ConfigMap default/hello changed by rolebook' })
    await change.filter({ hasText: 'data.text "good morning" "good evening"' }).waitFor()
  })

  it('shows a mistake at its place, and the last good version goes on', async () => {
    await open(NOTE)
    await page.getByRole('textbox', { name: `Text of ${ROLE}` }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('tasks: [{name: Text, ensur: {}}]\n')
    await says('the last good version goes on')
    await page.getByRole('list', { name: 'Mistakes' }).getByText(`${ROLE}:1`).first().waitFor()
    await show('Objects')
    await page.getByRole('button', { name: 'Edit ConfigMap default/hello' }).waitFor()
  })

  it('completes what is typed', async () => {
    await open(NOTE)
    await page.getByRole('textbox', { name: `Text of ${ROLE}` }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('  - ens')
    await page.getByRole('option', { name: /^ensure/ }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('makes a deleted object again, but not while the server is away', async () => {
    await open(NOTE)
    await show('Objects')
    const remove = page.getByRole('button', { name: 'Delete ConfigMap default/hello' })
    await show('Server away')
    await says('does not reach the API server')
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    await show('Server away')
    await remove.waitFor()
  })

  it('opens what was shared, and nothing that is damaged', async () => {
    await open(NOTE)
    await show('Share')
    await says('a link to the project')
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    await says('The cluster runs.')
    await page.goto('about:blank')
    await page.goto(`${playground.url}#project=AAAA`)
    await says('cannot open the project of the link')
  })

  it('opens the example that the address names, and its address follows the list', async () => {
    const list = page.getByRole('combobox', { name: 'Project' })
    await page.goto(`${playground.url}#example=02-database`)
    await says('The cluster runs.')
    expect(await list.inputValue()).to.equal('02-database')
    await list.selectOption('role memcached')
    await says('The cluster runs.')
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    await says('The cluster runs.')
    expect(await list.inputValue()).to.equal('role memcached')
    await page.goto('about:blank')
    await page.goto(`${playground.url}#example=none`)
    await says('cannot open the example of the link')
  })

  const screenshots = new Screenshots('playground')
  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [1280, 768, 390]) {
      it(`is usable by all at ${width} pixels, ${scheme}`, async () => {
        await page.emulateMedia({ colorScheme: scheme })
        await page.setViewportSize({ width, height: 844 })
        await open(workload('Deployment', 18))
        for (const view of ['Resources', 'Objects', 'Writes', 'Tests']) {
          await show(view)
          expect(await playground.violations(), view).to.deep.equal([])
          await screenshots.take(page, `${view.toLowerCase()}-${width}-${scheme}`)
        }
        const wide = await page.evaluate('document.documentElement.scrollWidth')
        expect(wide, 'nothing is wider than the screen').to.be.at.most(width)
      })
    }
  }
})

function packedSize(path: string): number {
  const content = readFileSync(path)
  return path.endsWith('.gz') ? content.length : gzipSync(content, { level: 9 }).length
}

function withoutTimes(report: string): string {
  return report.replaceAll(/\d+ ms/g, '- ms').trim()
}
