/** The commands of the pages, run as they stand, each page in a folder of its own that has what the page is about. */
import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { execPath, stderr } from 'node:process'
import { buildClient, missingForClients } from '../control-plane/clients.ts'
import { blocksOf, blocksToRun, commandsOf, isRun, PAGES, type PageBlock } from '../docs/page-blocks.ts'
import { builtProgram } from '../support/built-program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { PageReader } from './page-reader.ts'

interface Stage {
  /** What lies in the folder, by its path there: a file or a folder of the repository. Defaults to the shipped roles. */
  readonly files?: Readonly<Record<string, string>>
  /** Blocks of YAML of the page itself that lie there, by their position on the page. */
  readonly blocks?: Readonly<Record<string, number>>
  /** What a reader would fill in. */
  readonly words?: Readonly<Record<string, string>>
  /** Run first. */
  readonly before?: string
  /** Each block is another way to do the same, on a new cluster. */
  readonly areAlternatives?: boolean
}

const SHIPPED = { roles: 'roles', 'watches.yaml': 'watches.yaml' }
const WEBSITE = { roles: 'examples/01-config-hash/roles', 'watches.yaml': 'examples/01-config-hash/watches.yaml' }
const CLUSTER = 'npx rolebook sandbox status >/dev/null 2>&1 || npx rolebook sandbox --samples --detach\n'

const STAGES: Readonly<Record<string, Stage>> = {
  'README.md': {
    files: { ...SHIPPED, deploy: 'deploy' },
    before: `${CLUSTER}kubectl wait --for=create deployment/memcached-sample --timeout=60s`,
  },
  'docs/debugging.md': { before: `${CLUSTER}cp .rolebook/kubeconfig staging.kubeconfig` },
  'docs/deploying.md': { areAlternatives: true },
  'docs/helm.md': { files: { 'path/to/tomcat': 'roles/tomcat/charts/tomcat' } },
  'docs/migrating-from-ansible.md': { files: { '../memcached-operator': 'examples/12-from-ansible/ansible' } },
  'docs/migrating-from-helm.md': { files: { 'charts/tomcat': 'roles/tomcat/charts/tomcat' } },
  'docs/migrating-from-kro.md': { files: {}, blocks: { 'webapp/rgd.yaml': 0 } },
  'docs/migrating-from-kustomize.md': {
    files: {},
    blocks: { 'deploy/shop.yaml': 0, 'manifests/shop.yaml': 0 },
    before: "echo 'resources: [shop.yaml]' > deploy/kustomization.yaml",
  },
  'docs/operations.md': { files: WEBSITE },
  'docs/sandbox.md': { files: { ...SHIPPED, 'manifests.yaml': 'roles/memcached/crd.yaml' } },
  'docs/troubleshooting.md': {
    files: WEBSITE,
    words: { '<kind>': 'website', '<name>': 'shop' },
    before: `${CLUSTER}kubectl wait --for=condition=Ready website/shop --timeout=60s`,
  },
}

describe('the commands of the pages', function () {
  this.timeout(600_000)

  before(function () {
    const missing = missingForClients()
    if (missing === undefined) return
    stderr.write(`SKIPPED: the pages use kubectl, and ${missing}\n`)
    this.skip() // without kubectl most of them cannot run
  })

  for (const page of PAGES.filter((one) => blocksToRun(one).length > 0)) {
    it(`work: ${page}`, () => {
      const folder = temporaryFolder()
      const stage = STAGES[page] ?? (page.startsWith('examples/') ? { files: { examples: 'examples' } } : {})
      const reader = new PageReader(prepared(folder, page, stage))
      try {
        if (stage.before !== undefined) reader.run(stage.before)
        for (const block of blocksToRun(page)) reader.run(scriptOf(block, stage))
      } finally {
        reader.run('npx rolebook sandbox stop || true')
        folder.remove()
      }
    })
  }
})

/** The folder in which the page is read, with the programs that it uses in `bin`. */
function prepared(folder: TemporaryFolder, page: string, { files = SHIPPED, blocks = {} }: Stage): string {
  const here = folder.at('here')
  for (const [path, source] of Object.entries(files)) cpSync(source, join(here, path), { recursive: true })
  const yaml = blocksOf(page).filter(({ language }) => language === 'yaml')
  for (const [path, index] of Object.entries(blocks)) folder.write(join('here', path), yaml[index]?.text ?? '')
  const program = `exec '${execPath}' '${join(builtProgram(), 'rolebook.mjs')}' "$@"\n`
  for (const [name, text] of Object.entries({ npx: `#!/bin/sh\nshift\n${program}`, rolebook: `#!/bin/sh\n${program}` }))
    chmodSync(folder.write(`here/bin/${name}`, text), 0o755)
  cpSync(buildClient('helm'), join(here, 'bin/helm'))
  return here
}

/** A sandbox that would go on until it is stopped does so beside the next commands. */
function scriptOf(block: PageBlock, { words = {}, areAlternatives = false }: Stage): string {
  const commands = commandsOf(block).filter(isRun)
  const isStarter = (command: string): boolean => /\brolebook sandbox(?! st)/.test(command)
  const starts = commands.some(isStarter)
  const script = commands
    .map((one) => (isStarter(one) && !one.includes('--detach') ? `${one} --detach` : one))
    .join('\n')
  const first = starts ? 'npx rolebook sandbox stop >/dev/null 2>&1 || true\n' : clusterFor(script)
  const last = starts || areAlternatives ? '\nnpx rolebook sandbox stop || true' : ''
  const text = first + script + last
  return Object.entries(words).reduce((filled, [word, value]) => filled.replaceAll(word, value), text)
}

/** A cluster for commands that use one. */
function clusterFor(script: string): string {
  return /^(?:kubectl|helm) |\bdiff\b/m.test(script) ? CLUSTER : ''
}
