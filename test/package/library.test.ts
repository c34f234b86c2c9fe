import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { printPublicSurface, publicDeclarations } from '../../bin/public-declarations.ts'
import { builtProgram } from '../support/built-program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const EXAMPLES = [...readFileSync('docs/library.md', 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  ([, code]) => code,
)
const CONSUMER = `
import { ANY, defineFunction, defineTaskKind, loadProject, Operator, type Project } from 'rolebook'
import { Sandbox } from 'rolebook/sandbox'
import { defineRoleTests } from 'rolebook/testing'

const sandbox: Sandbox = await Sandbox.start({ clock: 'manual' })
const project: Project = await loadProject({ folder: '.' })
const operator = new Operator({ project, sandbox })
const idle: Promise<void> = operator.idle()
const kind = defineTaskKind({
  name: 'say', doc: '', example: '', schema: {}, modifiers: [],
  compile: (_body, context) => context.template(['text']),
  check: () => ANY,
  run: async (text, { scope }) => ({ kind: 'unchanged', value: text.render(scope) ?? null }),
  permissions: () => [],
})
const shout = defineFunction({ name: 'shout', signature: '<s:s>', doc: '', example: '', run: ([text]) => String(text) })
const own = { taskKinds: [kind], functions: [shout] }
await defineRoleTests({ folder: '.', describe: (_name, define) => define(), it: () => undefined, ...own })
// @ts-expect-error: it is a number
await Sandbox.start({ port: 'any' })
await idle
`

describe('the library', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  before(() => installInto(folder))
  after(() => folder.remove())
  const run = (path: string) => spawnSync(execPath, [path], { cwd: folder.path, encoding: 'utf8' })

  it('has examples on its page', () => expect(EXAMPLES).to.have.lengthOf(6))

  const printed = ['hello\n', '60000\nForbidden\n', /pass [1-9]\d*[\s\S]*fail 0/, '', 'true ProjectError\n', 'shout\n']
  for (const [index, code] of EXAMPLES.entries()) {
    it(`runs example ${index + 1} of its page`, () => {
      const { status, stdout, stderr } = run(folder.write(`example-${index}.mjs`, code ?? ''))
      expect(stderr).to.equal('')
      expect(status, stdout).to.equal(0)
      const expected = printed[index] ?? ''
      if (typeof expected === 'string') expect(stdout).to.equal(expected)
      else expect(stdout).to.match(expected)
    })
  }

  for (const resolution of [
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ]) {
    it(`has types for moduleResolution ${resolution.moduleResolution}`, () => {
      folder.write('consumer.mts', CONSUMER)
      const rest = {
        strict: true,
        noEmit: true,
        target: 'es2024',
        lib: ['es2024', 'esnext.disposable'],
        types: ['node'],
      }
      const compilerOptions = { ...resolution, ...rest, typeRoots: [resolve('node_modules/@types')] }
      folder.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.mts'] }))
      expect(run(resolve('node_modules/typescript/bin/tsc')).stdout).to.equal('')
    })
  }

  it('has the public surface that is committed', () => {
    const committed = readFileSync('test/package/public-api.txt', 'utf8')
    expect(printPublicSurface(publicDeclarations()), "run 'npm run generate'").to.equal(committed)
  })
})

/** The package as it would be installed, and a project that its examples may load. */
function installInto(folder: TemporaryFolder): void {
  const target = folder.at('node_modules/rolebook')
  mkdirSync(target, { recursive: true })
  symlinkSync(builtProgram(), join(target, 'dist'))
  cpSync('package.json', join(target, 'package.json'))
  cpSync('examples/01-config-hash', folder.path, { recursive: true })
}
