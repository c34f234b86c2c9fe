import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { builtinTaskKinds } from '../../../../src/engine/tasks/builtin-task-kinds.ts'
import { long } from '../../../support/long-tests.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

/** Fields that can say where an object is, as tasks that take them from the resource. `@` is the text in its spec. */
const FIELDS: Readonly<Record<string, string>> = {
  'the namespace of an ensure': 'ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: "@"}}',
  'the name of an ensure': 'ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "@"}}',
  'the namespace of a patch':
    'patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: "@"}, data: {a: b}}',
  'the name of a patch': 'patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: "@"}, data: {a: b}}',
  'the namespace of a get': 'get: {apiVersion: v1, kind: ConfigMap, name: x, namespace: "@"}',
  'the name of a get': 'get: {apiVersion: v1, kind: ConfigMap, name: "@"}',
  'the namespace of a get of a Secret': 'get: {apiVersion: v1, kind: Secret, name: x, namespace: "@"}',
  'the name of a get of a Secret': 'get: {apiVersion: v1, kind: Secret, name: "@"}',
  'the namespace of a list': 'list: {apiVersion: v1, kind: ConfigMap, namespace: "@"}',
  'the namespace of a list of Secrets': 'list: {apiVersion: v1, kind: Secret, namespace: "@"}',
}

/** `other` is the namespace of another tenant. */
const NAMES: Readonly<Record<string, string>> = {
  'another namespace': 'other',
  'a way up': '../../namespaces/other/configmaps/x',
  'an encoded way up': '..%2f..%2fother',
  'an encoded way up, encoded again': '..%252fother',
  'a query': 'other?fieldSelector=metadata.name=x',
  'an encoded query': 'other%3ffieldSelector=metadata.name%3dx',
  'a fragment': 'other#',
  'a path': 'other/x',
  'a path of Windows': '..\\other',
  'a null byte': 'other\0',
  'a line of a header': 'other\r\nHost: other',
  'a list': 'other,default',
  'two dots': '..',
  'letters of another alphabet': 'оther',
}

/** In a namespace of another, an object with the names that are asked for. */
const THEIRS: readonly KubeObject[] = ['ConfigMap', 'Secret'].map((kind) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', namespace: 'other', labels: { app: 'x' } },
}))

describe('with a text of the resource', () => {
  let sandbox: OperatorSandbox
  let asked: string[] = []

  before(async () => {
    sandbox = await OperatorSandbox.start({
      workloads: false,
      onRequest: ({ method, path, userAgent }) => void asked.push(`${userAgent} ${method} ${path}`),
    })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    for (const object of THEIRS) await sandbox.apply(object)
  })
  after(() => sandbox.stop())

  for (const [field, task] of Object.entries(FIELDS)) {
    it(`in ${field}, no request leaves the namespace of the resource`, async () => {
      const names = Object.values(NAMES).filter((name) => name !== 'other' || field.includes('namespace'))
      const role = `tasks:\n  - {name: Reach, ${task.replace('@', '${spec.text}')}}\n`
      sandbox.run(await projectOf({ widget: role }))
      asked = []
      for (const [index, text] of names.entries()) await sandbox.widget(`w${index}`, { text })
      const outcomes = await Promise.all(
        names.map((_, index) =>
          sandbox.until(
            () => sandbox.condition('Ready', { name: `w${index}` }),
            (condition) => condition !== undefined,
          ),
        ),
      )
      await sandbox.settled()
      const reached = asked.filter((line) => !/\/(widgets|events|leases)\b/.test(line) && isElsewhere(line))
      expect(reached).to.deep.equal([])
      const ready = outcomes.flatMap((condition, index) => (condition?.status === 'True' ? [names[index]] : []))
      expect(ready, 'names that were taken').to.deep.equal([])
      await sandbox.halt()
      for (const index of names.keys()) await sandbox.remove(WIDGET, `w${index}`)
    })
  }

  it('as kind or version nothing can be asked for: they stand in the role', async () => {
    for (const field of ['apiVersion: "${spec.text}", kind: ConfigMap', 'apiVersion: v1, kind: "${spec.text}"']) {
      for (const start of ['ensure: {', 'patch: {', 'get: {name: x, ', 'list: {']) {
        const rest = start.includes('name') || start.startsWith('list') ? '' : ', metadata: {name: x}'
        const refused = await projectOf({ widget: `tasks:\n  - ${start}${field}${rest}}\n` }).catch(String)
        expect(refused, `${start}${field}`).to.contain('RB14')
      }
    }
  })

  it('as a URL nothing is called: no kind of task knows any', () => {
    // A new kind is to be looked at: does it send anything to where a resource says?
    const names = 'ensure patch status get list chart set wait assert fail event block include'
    expect(builtinTaskKinds.map(({ name }) => name).join(' ')).to.equal(names)
  })

  long.it('as data nothing is evaluated: 10,000 texts that look like code come out as they went in', async () => {
    const role = `tasks:
  - {name: Look, get: {apiVersion: example.com/v1, kind: Widget, name: peer}, register: peer}
  - name: Copy
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}", annotations: "\${metadata.annotations}" }
      data: { spec: "\${$toJson(spec.texts)}", status: "\${$toJson($peer.status.texts)}" }
  - name: Report
    status: { texts: "\${spec.texts}", theirs: "\${$peer.status.texts}" }
`
    const watches =
      '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {copied: "yes"}}}\n'
    const texts = [...Array(500).keys()].flatMap((index) => looksLikeCode(index))
    sandbox.run(await projectOf({ widget: role }, watches))
    let seen = 0
    for (let start = 0; start < texts.length; start += 1000) {
      const [own, peer] = [texts.slice(start, start + 500), texts.slice(start + 500, start + 1000)]
      await sandbox.widget('peer')
      await sandbox.edit(WIDGET, 'peer', { status: { texts: peer } }, 'status')
      const annotations = Object.fromEntries(own.slice(0, 40).map((text, index) => [`example.com/a${index}`, text]))
      const name = `copy-${start}`
      await sandbox.widget(name, { texts: own }, { labels: { copied: 'yes' }, annotations })
      await sandbox.until(
        () => sandbox.condition('Ready', { name }),
        (condition) => condition?.status === 'True',
      )
      const copy = await sandbox.get(CONFIG_MAP, name)
      const data = copy?.data as { spec: string; status: string }
      expect(JSON.parse(data.spec)).to.deep.equal(own)
      expect(JSON.parse(data.status)).to.deep.equal(peer)
      expect(copy?.metadata.annotations).to.include(annotations)
      const status = (await sandbox.get(WIDGET, name))?.status as JsonObject
      expect([status.texts, status.theirs]).to.deep.equal([own, peer])
      seen += own.length + peer.length
    }
    expect(seen).to.equal(10_000)
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
  })
})

/** Requests that name what the resource asked for, in whatever spelling. */
function isElsewhere(line: string): boolean {
  return /other|%d0%be|%2f|%5c|%0|%25|\.\./i.test(line)
}

/** Twenty texts, each with an expression, a template of some engine or a name of JavaScript in it. */
function looksLikeCode(index: number): readonly string[] {
  const inner = `$error("evaluated ${index}")`
  return [
    `\${${inner}}`,
    `$\${${inner}}`,
    `\${ spec.texts }${index}`,
    `text \${${inner}} text`,
    `{{ ${inner} }}`,
    `{{ lookup('env', 'HOME') }}${index}`,
    `{% raw ${index} %}`,
    `<%= ${inner} %>`,
    `#{${inner}}`,
    `$(${inner})`,
    `\`${inner}\``,
    `!!js/function 'return ${index}'`,
    `&a ${index} *a`,
    `__proto__`,
    `constructor.prototype.polluted${index}`,
    `{"__proto__":{"polluted":${index}}}`,
    `$eval("${index}")`,
    `"}, "kind": "Secret", "x": "${index}`,
    `\n---\nkind: Secret\nname: x${index}`,
    `\u0000\u001b[31m${index}\ud83d`.replace('\u0000', '').toWellFormed(),
  ]
}
