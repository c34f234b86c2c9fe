import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { connect } from '../../src/core/kube-client/connect.ts'
import type { Ended, InstalledPackage } from './installed-package.ts'

const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }
const WEBSITE = ['--group', 'example.com', '--version', 'v1', '--kind', 'Website']

const LIBRARY = `
import { Sandbox } from 'rolebook/sandbox'
const sandbox = await Sandbox.start()
const namespaces = await sandbox.client.list({ apiVersion: 'v1', kind: 'Namespace' })
console.log(namespaces.map(({ metadata }) => metadata.name).join(' '))
await sandbox.stop()
`

/** Tests of everything that the package promises on a Node that can run it. */
export function worksInstalled(the: { readonly package: InstalledPackage }, { charts = true } = {}): void {
  let project: string
  before(() => {
    project = the.package.emptyFolder('project')
  })

  it('begins a project by npx alone', () => {
    endedWell(the.package.npx(project, 'init', ...WEBSITE))
    expect(readdirSync(project)).to.have.members(['.gitignore', 'roles', 'schemas', 'watches.yaml'])
  })

  it('runs a sandbox in an empty folder by npx alone', async () => {
    const folder = the.package.emptyFolder('nothing')
    endedWell(the.package.npx(folder, 'sandbox', '--detach'))
    try {
      expect(await namespacesOf(join(folder, '.rolebook/kubeconfig'))).to.include('default')
    } finally {
      endedWell(the.package.npx(folder, 'sandbox', 'stop'))
    }
  })

  it('is installed without another package', () => {
    endedWell(the.package.install())
    expect(readdirSync(resolve(the.package.program, '../..')).filter((name) => !name.startsWith('.'))).to.deep.equal([
      'rolebook',
    ])
  })

  const commands = [
    { args: ['--version'], out: /^rolebook \d+\.\d+\.\d+ \(Node v\d+/ },
    { args: ['check'], err: /^1 watch and 1 role are in order\n$/ },
    { args: ['test'], out: /1 passed, 0 failed/ },
    { args: ['schema', '--write', 'again'], err: /.*/ },
  ]
  for (const { args, out = /.*/, err = /.*/ } of commands) {
    it(`runs rolebook ${args.join(' ')}`, () => {
      const ended = endedWell(the.package.run(project, args))
      expect(ended.stdout).to.match(out)
      expect(ended.stderr).to.match(err)
    })
  }

  it('is imported by a program', () => {
    expect(endedWell(the.package.import(LIBRARY)).stdout).to.match(
      /^default kube-node-lease kube-public kube-system\n$/,
    )
  })

  it(charts ? 'renders a Helm chart' : 'says which Node renders Helm charts', () => {
    const { stdout, stderr } = the.package.run(resolve('.'), ['render', 'roles/tomcat/samples/tomcat.yaml'])
    if (charts) expect(stdout, stderr).to.include('kind: Deployment')
    else expect(stdout + stderr).to.include('install Node 22.19 or newer')
  })

  const sandboxes = [
    { name: 'the project on a sandbox', args: ['--samples'], ready: 'website-sample Ready=True' },
    { name: 'a sandbox in an empty folder', args: [], ready: 'No operator runs' },
  ]
  for (const { name, args, ready } of sandboxes) {
    it(`runs ${name}`, async () => {
      const folder = args.length > 0 ? project : the.package.emptyFolder('empty')
      const sandbox = the.package.start(folder, 'sandbox', ...args)
      try {
        await sandbox.until(ready, ({ stdout }) => stdout.includes(ready))
        expect(await namespacesOf(join(folder, '.rolebook/kubeconfig'))).to.include.members(['default', 'kube-system'])
      } finally {
        expect(await sandbox.stop(), sandbox.stderr).to.equal(0)
      }
    })
  }
}

function endedWell(ended: Ended): Ended {
  expect(ended.status, ended.stdout + ended.stderr).to.equal(0)
  return ended
}

/** Of the server of a kubeconfig. */
async function namespacesOf(kubeconfig: string): Promise<readonly (string | undefined)[]> {
  const { client, close } = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
  const { items } = await client.list(NAMESPACE)
  await close()
  return items.map(({ metadata }) => metadata.name)
}
