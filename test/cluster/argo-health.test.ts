/** The script with which Argo CD judges resources, from the page on operations, run by Lua. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stderr } from 'node:process'
import { expect } from 'chai'
import { parse } from 'yaml'

const PAGE = readFileSync('docs/operations.md', 'utf8')
const READY = '{ type = "Ready", status = "True", reason = "Ready", message = "m" }'
const notReady = (reason: string): string => `{ type = "Ready", status = "False", reason = "${reason}", message = "m" }`
const is = (type: string): string => `{ type = "${type}", status = "True", reason = "Failed", message = "m" }`

interface ResourceCase {
  readonly name: string
  /** The status, in Lua, of a resource whose generation is 2. */
  readonly status: string
  readonly health: string
}

const CASES: readonly ResourceCase[] = [
  { name: 'no status yet', status: 'nil', health: 'Progressing' },
  { name: 'ready', status: `{ observedGeneration = 2, conditions = { ${READY} } }`, health: 'Healthy' },
  {
    name: 'ready, of another spec',
    status: `{ observedGeneration = 1, conditions = { ${READY} } }`,
    health: 'Progressing',
  },
  {
    name: 'waiting',
    status: `{ observedGeneration = 2, conditions = { ${notReady('Waiting')}, ${is('Reconciling')} } }`,
    health: 'Progressing',
  },
  {
    name: 'stalled',
    status: `{ observedGeneration = 2, conditions = { ${notReady('Failed')}, ${is('Stalled')} } }`,
    health: 'Degraded',
  },
  { name: 'paused', status: `{ observedGeneration = 2, conditions = { ${notReady('Paused')} } }`, health: 'Suspended' },
]

/** The script of the ConfigMap on the page. */
function scriptOf(page: string): string {
  const [, manifest = ''] =
    /^```yaml\n(apiVersion: v1\nkind: ConfigMap\nmetadata: \{ name: argocd-cm[\s\S]*?)^```$/m.exec(page) ?? []
  const customizations = parse(parse(manifest).data['resource.customizations'])
  return customizations['example.com/*']['health.lua']
}

describe('the health of resources in Argo CD', () => {
  const interpreter = ['lua', 'lua5.4', 'lua5.1'].find((name) => spawnSync(name, ['-v']).status === 0)

  before(function () {
    if (interpreter !== undefined) return
    stderr.write('SKIPPED: the script for Argo CD needs lua\n')
    this.skip() // without Lua there is nothing to run the script
  })

  for (const { name, status, health } of CASES) {
    it(`is ${health}: ${name}`, () => {
      const program = `local obj = { metadata = { generation = 2 }, status = ${status} }
        local function judge()\n${scriptOf(PAGE)}\nend
        io.write(judge().status)`
      const { stdout, stderr: said } = spawnSync(interpreter ?? 'lua', ['-'], { input: program, encoding: 'utf8' })
      expect(stdout, said).to.equal(health)
    })
  }
})
