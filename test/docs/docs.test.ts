import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ROLE_FUNCTIONS } from '../../src/engine/role/functions/functions.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { sandboxCommand } from '../../src/rolebook/cli/commands/sandbox.ts'
import { APISERVER_FLAGS } from '../../src/rolebook/cli/envtest/kube-apiserver.ts'
import { PROJECT_OPTIONS } from '../../src/rolebook/cli/options.ts'
import { loadCommands } from '../../src/rolebook/cli/run-program.ts'
import { WATCH_DEFAULTS, WATCHES_SCHEMA } from '../../src/rolebook/config/watches-schema.ts'

const language = readFileSync('docs/role-language.md', 'utf8')

/** First cells of the rows of a table that name something in backquotes. */
const namedIn = (text: string): readonly string[] => {
  const cells = [...text.matchAll(/^\| (`[^|]*) \|/gm)].map((match) => match[1] ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].flatMap((match) => (match[1] ?? '').split(' ')))
}

const sectionOf = (title: string): string => language.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

describe('the page on the role language', () => {
  it('has a row for every kind of task and every modifier, and no other', () => {
    const modifiers = new Set(builtinTaskKinds.flatMap((kind) => kind.modifiers))
    const kinds = builtinTaskKinds.map(({ name }) => name)
    expect(namedIn(sectionOf('Tasks'))).to.have.members([
      ...kinds,
      ...modifiers,
      'name',
      'when',
      'sensitive',
      'loopVar',
    ])
  })

  it('has a row for every function that the language adds', () => {
    const named = namedIn(sectionOf('Expressions')).map((name) => name.replace(/\(.*/, '').replace(/[,)]$/, ''))
    const functions = [...ROLE_FUNCTIONS.keys()].map((name) => `$${name}`)
    expect(named.filter((name) => name.startsWith('$'))).to.have.members(functions)
  })

  it('has a row for every key of a watch entry', () => {
    const { properties } = (
      WATCHES_SCHEMA as unknown as { items: { properties: Record<string, { explain?: string }> } }
    ).items
    const known = Object.keys(properties).filter((key) => Object.keys(properties[key] ?? {}).length > 0)
    const rows = namedIn(sectionOf('Files'))
    expect([...rows, 'group', 'version', 'kind', 'role']).to.have.members(known)
    expect(language).to.include(`| \`maxConcurrentReconciles\` | \`${WATCH_DEFAULTS.maxConcurrentReconciles}\` |`)
  })
})

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8')

  it('begins with the role of its picture', () => {
    const role = readFileSync('bin/picture/website/roles/website/role.yaml', 'utf8')
    expect(readme).to.include(`\`\`\`yaml\n# roles/website/role.yaml\n${role}\`\`\``)
    expect(readme.indexOf('```yaml\n')).to.be.lessThan(200)
  })

  const firstCells = (title: string, cell: RegExp): readonly (string | undefined)[] => {
    const section = readme.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
    return [...section.matchAll(cell)].map((match) => match[1])
  }

  it('has a row for every command', async () => {
    const rows = firstCells('Commands', /^\| `rolebook (\w+)/gm)
    expect(rows).to.deep.equal([...new Set(rows)])
    expect(rows).to.have.members((await loadCommands()).map(({ name }) => name))
  })

  it('has a row for every page', () => {
    const pages = globSync(['docs/*.md', 'docs/*/README.md']).map((path) => path.replace(/README\.md$/, ''))
    expect(firstCells('Documentation', /^\| \[(docs\/[^\]]+)\]/gm)).to.have.members(pages)
  })
})

describe('the page that compares', () => {
  it('has no figure of a measurement that the page on performance does not have', () => {
    const page = readFileSync('docs/comparison.md', 'utf8')
    const measured = new Set(readFileSync('docs/performance.md', 'utf8').match(/\d+(?:\.\d+)?/g))
    const prose = page.split('## Sources')[0] ?? ''
    const used = [...prose.matchAll(/\d+\.\d+|\d+(?= MiB)/g)].map(([figure]) => figure)
    expect(used.length).to.be.greaterThan(8)
    expect(used.filter((figure) => !measured.has(figure))).to.deep.equal([])
  })
})

describe('what is said of measurements', () => {
  const page = readFileSync('docs/performance.md', 'utf8')
  const block = /<!-- figures: 1000-1-3 -->([\s\S]*?)<!-- end of figures -->/.exec(page)?.[1] ?? ''
  const [seconds = [], , takes = []] = block
    .split(/\n{2,}/)
    .filter((part) => part.startsWith('|'))
    .map((table) => table.split('\n').map((line) => line.split('|').map((cell) => cell.trim())))

  /** The figure of a row and a column, without what stands in brackets. */
  function figure(table: readonly (readonly string[])[], name: string, column: string): string | undefined {
    const row = table.find(([, first]) => first === name)
    return row?.[table[0]?.indexOf(column) ?? -1]?.replace(/ \(.*/, '')
  }

  const go = 'Go, create-or-update'
  const both = (table: readonly (readonly string[])[], name: string, column: string) =>
    [name, 'rolebook'].map((row) => figure(table, row, column))
  const claims: readonly (readonly [path: string, says: RegExp, figures: readonly (string | undefined)[]])[] = [
    ['README.md', /a process has (\d+) MiB at its start/, [figure(takes, 'rolebook', 'RSS at start')]],
    ['docs/comparison.md', /a process has (\d+) MiB at its start/, [figure(takes, 'rolebook', 'RSS at start')]],
    ['docs/comparison.md', /costs (\d+\.\d+) ms of CPU beside our (\d+\.\d+)/, both(takes, go, 'burst')],
    ['docs/comparison.md', /process has (\d+) MiB at its peak beside our (\d+)/, both(takes, go, 'peak, burst')],
    ['docs/comparison.md', /resources takes (\d+\.\d+) s beside our (\d+\.\d+)/, both(seconds, go, 'burst')],
    ['docs/comparison.md', /memory \((\d+) MiB at its peak beside our (\d+)/, both(takes, 'kopf', 'peak, burst')],
  ]
  for (const [path, says, figures] of claims) {
    it(`is what the page on performance has: ${path}, ${says.source}`, () => {
      const said = says.exec(readFileSync(path, 'utf8'))?.slice(1)
      expect(said?.map(Number)).to.deep.equal(figures.map(Number))
    })
  }

  it('stands nowhere else', () => {
    const counted = (text: string): number => [...text.matchAll(/ MiB at its /g)].length
    expect(['README.md', 'docs/comparison.md'].map((path) => counted(readFileSync(path, 'utf8')))).to.deep.equal([1, 3])
  })
})

describe('the page that compares, on moving over', () => {
  it('leads to the page of each system that a command reads', () => {
    const [, section = ''] = readFileSync('docs/comparison.md', 'utf8').split('\n## Moving over\n')
    const [part = ''] = section.split('\n## ')
    const pages = globSync('docs/migrating-from-*.md').map((path) => path.replace('docs/', ''))
    expect([...part.matchAll(/\((migrating-from-[\w-]+\.md)\)/g)].map(([, page]) => page)).to.have.members(pages)
  })
})

describe('the page on proofs and benchmarks', () => {
  it('has a row for every script that measures', () => {
    const page = readFileSync('docs/contributing/proofs-and-benchmarks.md', 'utf8')
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const measured = Object.keys(scripts).filter((name) => /^(proof:|bench\b|test:)/.test(name))
    const rows = [...page.matchAll(/^\| `npm run ([\w:-]+)` \|/gm)].map((match) => match[1])
    expect(rows).to.have.members([...measured, 'cluster'])
  })
})

describe('the page on the sandbox', () => {
  it('has a row for every flag of its own', () => {
    const shared = new Set([...PROJECT_OPTIONS.map(({ flags }) => flags), '--namespace <list>'])
    const own = sandboxCommand.options
      .map(({ flags }) => flags)
      .filter((flags) => !shared.has(flags) && !flags.startsWith('--log'))
    const page = readFileSync('docs/sandbox.md', 'utf8')
    const rows = [...page.matchAll(/^\| `(--[^`]+)` \|/gm)].map((match) => match[1])
    expect(rows).to.have.members(own)
  })
})

describe('the page on tests of Go projects', () => {
  it('shows the test that runs on both servers', () => {
    const source = readFileSync('test/control-plane/envtest/labels_test.go', 'utf8')
    expect(readFileSync('docs/envtest.md', 'utf8')).to.include(`\`\`\`go\n${source}\`\`\``)
  })

  it('has a row for every flag of kube-apiserver that has an effect', () => {
    const rows = [...readFileSync('docs/envtest.md', 'utf8').matchAll(/^\| (`--.*`) \|/gm)]
    const flags = rows.flatMap(([, cell = '']) => [...cell.matchAll(/--([\w-]+)/g)].map(([, name]) => name))
    expect(flags).to.have.members(Object.keys(APISERVER_FLAGS))
  })
})

describe('the pages on installing', () => {
  const pages = ['README.md', 'docs/deploying.md', 'deploy/kustomization.yaml'].map((path) =>
    readFileSync(path, 'utf8'),
  )

  it('apply on the server side: a ConfigMap with a Helm chart is too large for the annotation of kubectl', () => {
    const commands = pages.flatMap((page) => page.match(/kubectl apply [^\n`]*/g) ?? [])
    expect(commands).to.have.length.at.least(4)
    expect(commands.filter((command) => !command.includes('--server-side'))).to.deep.equal([])
  })
})
