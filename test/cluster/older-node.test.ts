/** `bin/older-node.mjs` gives Node 20 what the program uses of the language and Node 20 does not have. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ADDITIONS = resolve('bin/older-node.mjs')
/** What Node 20 has of the language, beside all of ES2023. */
const LIB = ['es2023', 'es2024.string', 'es2024.regexp', 'es2024.arraybuffer', 'esnext.disposable']

/** Each gives the same by the language and by the additions. */
const EXPRESSIONS = [
  'Object.entries(Object.groupBy([3, 1, 2], (one, index) => one > 1 ? "b" + index : "a"))',
  '[...Map.groupBy([3, 1, 2], (one) => one > 1)]',
  'Object.keys(Promise.withResolvers()).sort()',
  ...['union', 'intersection', 'difference', 'symmetricDifference'].map(
    (name) => `[...new Set([1, 2, 3]).${name}(new Set([3, 4]))]`,
  ),
  ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom'].map(
    (name) => `[[], [1], [1, 2], [3]].map((other) => new Set([1, 2]).${name}(new Set(other)))`,
  ),
  '[...new Map([[1, 2], [3, 4]]).keys().map((one, index) => one + index)]',
  '[...[1, 2, 3].values().filter((one, index) => one > 1 && index < 2)]',
  '[...[1, 2, 3].values().take(2)]',
  '[...[1, 2, 3].values().take(0)]',
  '[...[1, 2, 3].values().drop(2)]',
  '[...[1, 2].values().flatMap((one) => [one, one])]',
  '[1, 2].values().toArray()',
  '[1, 2, 3].values().reduce((sum, one) => sum + one)',
  '[1, 2, 3].values().reduce((sum, one) => sum + one, 10)',
  ...['some', 'every', 'find'].map((name) => `[1, 2, 3].values().${name}((one) => one === 2)`),
  '(() => { const seen = []; [1, 2].values().forEach((one, index) => seen.push(one + index)); return seen })()',
]

/** Prints what the expressions give, first by the language, then by the additions alone. */
const PROGRAM = `
const results = () => expressions.map((text) => (0, eval)(text))
const expressions = ${JSON.stringify(EXPRESSIONS)}
const native = results()
const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values()))
for (const target of [Set.prototype, iterator]) {
  for (const name of Object.getOwnPropertyNames(target)) if (REPLACED.includes(name)) delete target[name]
}
for (const [target, name] of [[Promise, 'withResolvers'], [Object, 'groupBy'], [Map, 'groupBy']]) delete target[name]
await import(${JSON.stringify(pathToFileURL(ADDITIONS).href)})
console.log(JSON.stringify([native, results()]))
`

const NAMES = [...new Set(EXPRESSIONS.flatMap((text) => [...text.matchAll(/\.(\w+)\(/g)].map(([, name]) => name)))]

describe('what the bundle adds to Node 20', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('does what the language does', () => {
    const program = `const REPLACED = ${JSON.stringify(NAMES.filter((name) => !['keys', 'values'].includes(name ?? '')))}\n${PROGRAM}`
    const printed = execFileSync(execPath, [folder.write('program.mjs', program)], { encoding: 'utf8' })
    const [native, added] = JSON.parse(printed) as readonly [readonly unknown[], readonly unknown[]]
    for (const [index, text] of EXPRESSIONS.entries()) expect(added[index], text).to.deep.equal(native[index])
  })

  it('is all that the sources use', () => {
    const config = {
      extends: resolve('tsconfig.json'),
      compilerOptions: { lib: LIB, typeRoots: [resolve('node_modules/@types')], types: ['node'] },
      include: [resolve('src')],
    }
    const tsc = resolve('node_modules/typescript/bin/tsc')
    const args = [tsc, '--noEmit', '--project', folder.write('tsconfig.json', JSON.stringify(config))]
    const { stdout } = spawnSync(execPath, args, { encoding: 'utf8' })
    const used = [...stdout.matchAll(/Property '(\w+)' does not exist on type/g)].map(([, name = '']) => name)
    expect(used).to.include.members(['groupBy', 'withResolvers'])
    const additions = readFileSync(ADDITIONS, 'utf8')
    for (const name of new Set(used)) expect(additions).to.match(new RegExp(`\\b${name}\\b`))
  })
})
