import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import axe from 'axe-core'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import type { ProjectTexts } from '../../src/rolebook/playground/protocol.ts'
import { toFragment } from '../../src/rolebook/playground/share-link.ts'
import { NOTE_PROJECT } from '../rolebook/cli/note-project.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startBrowser } from './browser.ts'
import { StaticServer } from './static-server.ts'

/** Stricter than what a page of static files can say of its workers: nothing may be made of text. */
const POLICY = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src-attr 'unsafe-inline'; img-src data:",
}

export const NOTE_ROLE = 'roles/note/role.yaml'

/** The playground in Chromium, for the tests of a suite: a new page for each, in which the browser finds nothing to complain about. */
export class PlaygroundPage {
  readonly #skipped: string
  #browser: Browser | undefined
  #server: StaticServer | undefined
  #page: Page | undefined
  #complaints: string[] = []

  /** Call it in a suite: its hooks start and stop everything. Without a browser the suite is skipped. */
  constructor(skipped: string) {
    this.#skipped = skipped
    const start = (): Promise<boolean> => this.#start()
    before(async function () {
      if (!(await start())) this.skip() // without a browser there is nothing to look at
    })
    after(async () => {
      await this.#browser?.close()
      await this.#server?.stop()
    })
    beforeEach(async () => {
      this.#complaints = []
      this.#page = await this.newPage()
      this.#page.on('pageerror', ({ message }) => this.#complaints.push(message))
      this.#page.on('console', (line) => line.type() === 'error' && this.#complaints.push(line.text()))
    })
    afterEach(async () => {
      expect(this.#complaints).to.deep.equal([])
      await this.#page?.close()
    })
  }

  async #start(): Promise<boolean> {
    this.#browser = await startBrowser(this.#skipped)
    if (!this.#browser) return false
    this.#server = await StaticServer.start(builtPlayground(), POLICY)
    return true
  }

  get page(): Page {
    return this.#page as Page
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  /** Where a file of the playground lies. */
  file(name: string): string {
    return join(builtPlayground(), name)
  }

  /** A page of another person: nothing is kept from other pages. */
  async newPage(): Promise<Page> {
    const page = await (this.#browser as Browser).newPage()
    page.setDefaultTimeout(120_000)
    return page
  }

  async says(text: string): Promise<void> {
    const status = this.page.getByRole('status')
    try {
      await status.filter({ hasText: text }).waitFor()
    } catch (cause) {
      const said = await status.allTextContents()
      throw new Error(`the page does not say "${text}", but "${said.join('" and "')}"`, { cause })
    }
  }

  /** Presses the button of a name. */
  show(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click()
  }

  /** Resolves when the cluster rests. */
  async open(files: ProjectTexts): Promise<void> {
    await this.page.goto(`${this.url}#${await toFragment(files)}`)
    await this.says('The cluster runs.')
    await this.page.getByText('The operator rests.').waitFor()
  }

  /** The text in the editor: its lines, where it shows all of them. */
  text(): Promise<string> {
    return this.page.evaluate<string>(EDITOR_TEXT)
  }

  /** Puts another text into the editor, which has the focus. */
  async write(text: string): Promise<void> {
    await this.page.keyboard.press('Control+A')
    await this.page.keyboard.insertText(text)
  }

  /** What axe finds, each with the first element that has it. */
  async violations(): Promise<readonly string[]> {
    await this.page.evaluate(axe.source)
    return this.page.evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`))',
    )
  }
}

const EDITOR_TEXT = `[...document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line')]
  .map((line) => line.textContent).join('\\n')`

/** The folder of the playground of the present sources. */
function builtPlayground(): string {
  built ??= build()
  return built
}

let built: string | undefined

function build(): string {
  const folder = temporaryFolder().at('page')
  const { status, stderr } = spawnSync(execPath, ['bin/build-playground.ts', '--out', folder], { encoding: 'utf8' })
  expect(status, stderr).to.equal(0)
  return folder
}

/** A project that makes a workload of some Pods. */
export function workload(kind: 'Deployment' | 'StatefulSet', replicas: number): ProjectTexts {
  const claims = `
      volumeClaimTemplates:
        - metadata: { name: data }
          spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`
  const role = `tasks:
  - name: Server
    ensure:
      apiVersion: apps/v1
      kind: ${kind}
      metadata: { name: hello }
      spec:
        replicas: ${replicas}
        selector: { matchLabels: { app: hello } }
        template:
          metadata: { labels: { app: hello } }
          spec: { containers: [{ name: server, image: "nginx:1" }] }${kind === 'StatefulSet' ? claims.replaceAll('\n', '\n  ') : ''}
`
  return { ...NOTE_PROJECT, [NOTE_ROLE]: role }
}
