/** The dashboard of an operator that others can reach: who signs in, and who does not. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { connect } from '../../src/core/kube-client/connect.ts'
import { accountToken } from '../support/account-token.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startBrowser } from './browser.ts'
import { shop, writeShopProject } from './dashboard-project.ts'
import { accessOf } from './kubeconfig-access.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RBAC = 'rbac.authorization.k8s.io'
const role = { kind: 'ClusterRole', name: 'dashboard-reader' }
const OBJECTS: readonly KubeObject[] = [
  ...['viewer', 'stranger'].map((name) => {
    return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' } }
  }),
  {
    ...{ apiVersion: `${RBAC}/v1`, kind: role.kind, metadata: { name: role.name } },
    rules: [{ nonResourceURLs: ['/ui/'], verbs: ['get'] }],
  },
  {
    ...{ apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', metadata: { name: role.name } },
    roleRef: { apiGroup: RBAC, ...role },
    subjects: [{ kind: 'ServiceAccount', name: 'viewer', namespace: 'default' }],
  },
  shop('blog'),
]

describe('the dashboard of an operator that others can reach', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const processes: RolebookProcess[] = []
  let browser: Browser | undefined
  let kubeconfig = ''
  let url = ''

  before(async function () {
    browser = await startBrowser('who may read the dashboard')
    if (!browser) return this.skip() // without Chromium no page signs in
    const cwd = mkdtempSync(folder.at('access-'))
    writeShopProject(cwd)
    const start = (...args: readonly string[]): RolebookProcess => {
      const started = new RolebookProcess(args, { cwd })
      processes.push(started)
      return started
    }
    const sandbox = start('sandbox', '--no-operator', '--output', 'json')
    await sandbox.until('it is ready', ({ stdout }) => stdout.includes('\n'))
    kubeconfig = join(cwd, JSON.parse(sandbox.stdout).kubeconfig)
    const connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
    for (const object of OBJECTS) await connection.client.create(object, { fieldManager: 'test' })
    await connection.close()
    const ui = ['--ui-bind-address', '0.0.0.0:0', '--log-format', 'json']
    const operator = start('run', '--kubeconfig', kubeconfig, '--leader-elect=false', ...ui)
    await operator.until('the dashboard listens', ({ stderr }) => PORT.test(stderr))
    url = `https://localhost:${PORT.exec(operator.stderr)?.[1]}/ui/`
  })
  after(async () => {
    await browser?.close()
    for (const one of processes.reverse()) await one.stop()
    folder.remove()
  })

  async function signIn(account: string): Promise<Page> {
    const page = (await (await browser?.newContext({ ignoreHTTPSErrors: true }))?.newPage()) as Page
    await page.goto(url)
    await page
      .getByLabel('Token')
      .fill(await accountToken(accessOf(kubeconfig), { namespace: 'default', name: account }))
    await page.keyboard.press('Enter')
    return page
  }

  it('lets in whom the API server allows to get its path', async () => {
    const page = await signIn('viewer')
    await page.getByText('default/blog').click()
    await page.getByText('Deployment default/blog was updated').first().waitFor()
  })

  it('says to others which right they lack', async () => {
    const page = await signIn('stranger')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).to.include('system:serviceaccount:default:stranger" cannot get path "/ui/"')
    expect(await page.getByText('default/blog').count()).to.equal(0)
    await page.evaluate(AXE)
    const { violations } = (await page.evaluate('axe.run()')) as {
      readonly violations: readonly { readonly id: string }[]
    }
    expect(violations.map(({ id }) => id)).to.deep.equal([])
  })
})

const PORT = /"server":"dashboard server","url":"https:\/\/[^"]*:(\d+)"/
