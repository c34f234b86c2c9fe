import { expect } from 'chai'
import { defineFunction } from '../../../src/rolebook/library/functions.ts'
import { loadProject, Operator, type Project, ProjectError } from '../../../src/rolebook/library/operator.ts'
import { Sandbox } from '../../../src/rolebook/library/sandbox.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const shout = defineFunction({
  name: 'shout',
  signature: '<s:s>',
  doc: 'A text in capital letters.',
  example: '$shout("a") = "A"',
  run([text], pay) {
    pay(String(text).length)
    return String(text).toUpperCase()
  },
})

describe('a function that a program defines', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())
  const load = (text: string, rest = ''): Promise<Project> => {
    folder.write('watches.yaml', '- {group: example.com, version: v1, kind: Widget, role: widget}\n')
    folder.write('roles/widget/crd.yaml', JSON.stringify(crd(WIDGET)))
    const manifest = `{apiVersion: v1, kind: ConfigMap, metadata: {name: loud}, data: {text: "${text}"}}`
    folder.write('roles/widget/role.yaml', `${rest}tasks:\n  - name: Loud\n    ensure: ${manifest}\n`)
    return loadProject({ folder: folder.path, functions: [shout] })
  }

  it('is called by the expressions of a role', async () => {
    const project = await load('${$shout(metadata.name)}')
    await using sandbox = await Sandbox.start()
    await sandbox.install(...project.crds)
    const stop = new AbortController()
    const running = new Operator({ project, sandbox }).start(stop.signal)
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'hello' } })
    let made: unknown
    for await (const { object } of sandbox.client.watch({ apiVersion: 'v1', kind: 'ConfigMap' })) {
      if (object.metadata.name !== 'loud') continue
      made = object.data
      break
    }
    stop.abort()
    await running
    expect(made).to.deep.equal({ text: 'HELLO' })
  })

  const mistakes = [
    { name: 'arguments that its signature does not take', text: '${$shout(1)}', says: 'shout' },
    { name: 'a misspelt name', text: '${$shuot(metadata.name)}', says: 'shuot' },
    { name: 'a variable of its name', text: 'x', rest: 'vars: {shout: 1}\n', says: '`$shout` is a function' },
  ]
  for (const { name, text, rest, says } of mistakes) {
    it(`is known to the check: ${name}`, async () => {
      const error = await load(text, rest).catch((thrown) => thrown)
      expect(error).to.be.instanceOf(ProjectError)
      expect(error.message).to.include(says)
    })
  }

  const refused = [
    { name: 'a name of JSONata', change: { name: 'uppercase' }, says: 'the language has one of this name' },
    { name: 'a name of the role language', change: { name: 'dnsName' }, says: 'the language has one of this name' },
    { name: 'a name that is left out on purpose', change: { name: 'now' }, says: 'the language has one of this name' },
    { name: 'a name with a dash', change: { name: 'to-upper' }, says: 'a name is letters' },
    { name: 'a signature without a result', change: { signature: '<s>' }, says: 'signature' },
  ]
  for (const { name, change, says } of refused) {
    it(`is refused with ${name}`, () => {
      const given = { name: 'own', signature: '<s:s>', doc: '', example: '', run: () => 'x', ...change }
      expect(() => defineFunction(given)).to.throw(says)
    })
  }
})
