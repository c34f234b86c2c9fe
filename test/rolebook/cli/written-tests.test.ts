import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { addTests } from '../../../src/rolebook/cli/migrate/add-tests.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { webCrd } from '../../support/tried-role.ts'

const CONFIG_MAP = 'apiVersion: v1, kind: ConfigMap'
const WATCH =
  '- {group: example.com, version: v1, kind: Web, role: web, allowedNamespaces: {read: ["*"], write: ["*"]}}\n'

interface Case {
  readonly name: string
  readonly role: string
  readonly watches?: string
  /** The namespace of the sample. */
  readonly namespace: string
  /** What of the test speaks of namespaces and readiness. */
  readonly has: readonly string[]
  readonly hasNot: readonly string[]
}

const cases: readonly Case[] = [
  {
    name: 'gives the namespaces that the sample and the role name',
    role: `tasks: [{ensure: {${CONFIG_MAP}, metadata: {name: a, namespace: team}}}]\n`,
    namespace: 'shop',
    has: [
      'name: shop\n  - apiVersion: v1\n    kind: Namespace\n    metadata:\n      name: team\n',

      'kind: ConfigMap, name: a, namespace: team',
      'type: Ready',
    ],
    hasNot: ['name: default'],
  },
  {
    name: 'gives no namespace of which the name is known only when the role runs',
    role: `tasks: [{ensure: {${CONFIG_MAP}, metadata: {name: a, namespace: "\${spec.host}"}}}]\n`,
    namespace: 'default',
    has: ['type: Ready, status: "False"'],
    hasNot: ['kind: Namespace', 'kind: ConfigMap'],
  },
  {
    name: 'gives no namespace that the role makes',
    role: `tasks:
  - ensure: {apiVersion: v1, kind: Namespace, metadata: {name: team}}
  - ensure: {${CONFIG_MAP}, metadata: {name: a, namespace: team}}
`,
    watches: WATCH.replace('}}', '}, acknowledge: [Namespace]}'),
    namespace: 'default',
    has: ['kind: Namespace, name: team', 'kind: ConfigMap, name: a, namespace: team'],
    hasNot: ['  name: team'],
  },
  {
    name: 'expects no readiness where the role does not say it',
    role: `tasks: [{ensure: {${CONFIG_MAP}, metadata: {name: a}}}]\n`,
    watches: WATCH.replace('}}', '}, manageStatus: false}'),
    namespace: 'default',
    has: ['kind: Web, name: web }'],
    hasNot: ['Ready', 'kind: Namespace'],
  },
]

describe('a test that is written for a role', () => {
  for (const { name, role, watches = WATCH, namespace, has, hasNot } of cases) {
    it(name, async () => {
      const folder = temporaryFolder()
      try {
        const watchesFile = folder.write('watches.yaml', watches)
        folder.write('roles/web/role.yaml', role)
        folder.write('roles/web/crd.yaml', webCrd())
        const metadata = `{name: web, namespace: ${namespace}}`
        const sample = `apiVersion: example.com/v1\nkind: Web\nmetadata: ${metadata}\nspec: {size: 2, host: team}\n`
        folder.write('roles/web/samples/web.yaml', sample)
        const written = await addTests({ watchesFile, rolesPath: folder.at('roles') }, new FakeTerminal())
        expect(written).to.deep.equal([folder.at('roles/web/tests/life.yaml')])
        const text = readFileSync(folder.at('roles/web/tests/life.yaml'), 'utf8')
        for (const one of has) expect(text).to.include(one)
        for (const one of hasNot) expect(text).to.not.include(one)
      } finally {
        folder.remove()
      }
    })
  }

  it('is none of a project that cannot be read', async () => {
    const places = { watchesFile: '/nowhere/watches.yaml', rolesPath: '/nowhere/roles' }
    expect(await addTests(places, new FakeTerminal())).to.deep.equal([])
  })
})
