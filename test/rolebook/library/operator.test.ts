import { expect } from 'chai'
import { loadProject, Operator, type Project } from '../../../src/rolebook/library/operator.ts'
import { Sandbox } from '../../../src/rolebook/library/sandbox.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' }
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'web' } }

describe('an operator that a program starts', () => {
  const folder = temporaryFolder()
  let project: Project
  before(async () => {
    folder.write('watches.yaml', '- {group: example.com, version: v1, kind: Widget, role: widget}\n')
    folder.write('roles/widget/crd.yaml', JSON.stringify(crd(WIDGET)))
    const made = '{apiVersion: v1, kind: ConfigMap, metadata: {name: made}}'
    folder.write('roles/widget/role.yaml', `tasks:\n  - name: Made\n    ensure: ${made}\n`)
    project = await loadProject({ folder: folder.path })
  })
  after(() => folder.remove())

  async function works(operator: Operator, sandbox: Sandbox): Promise<void> {
    const stop = new AbortController()
    const running = operator.start(stop.signal)
    await sandbox.apply(widget)
    for await (const { object } of sandbox.client.watch(CONFIG_MAP, { fieldSelector: 'metadata.name=made' })) {
      expect(object.metadata.ownerReferences?.[0]?.name).to.equal('web')
      break
    }
    stop.abort()
    await running
  }

  it('works on the cluster of a kubeconfig', async () => {
    await using sandbox = await Sandbox.start({ envtest: true })
    await sandbox.install(...project.crds)
    sandbox.writeKubeconfig(folder.at('kubeconfig'))
    await works(new Operator({ project, kubeconfig: folder.at('kubeconfig') }), sandbox)
  })

  it('works on a sandbox whose time stands still', async () => {
    await using sandbox = await Sandbox.start({ envtest: true, clock: 'manual' })
    const began = sandbox.clock.now()
    await sandbox.install(...project.crds)
    await works(new Operator({ project, sandbox }), sandbox)
    expect(sandbox.clock.now()).to.equal(began)
    await sandbox.clock.advance(60_000)
    expect(sandbox.clock.now()).to.equal(began + 60_000)
  })

  it('cannot be started twice', async () => {
    await using sandbox = await Sandbox.start({ envtest: true })
    const operator = new Operator({ project, sandbox })
    await operator.start(AbortSignal.abort())
    const refused = await operator.start(AbortSignal.abort()).catch(String)
    expect(refused).to.equal('Error: cannot start the operator: it was started before')
  })

  it('needs a project of loadProject, and a sandbox of Sandbox.start', async () => {
    expect(() => new Operator({ project: { ...project } })).to.throw('it was not made by loadProject')
    const operator = new Operator({ project, sandbox: Object.create(Sandbox.prototype) })
    expect(await operator.start(AbortSignal.abort()).catch(String)).to.include('it was not made by Sandbox.start')
  })
})
