/** What the page has in place of `AsyncLocalStorage`: a bundle as that of the page, which Node runs. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { build } from 'esbuild'
import { LOWERED } from '../../bin/bundle-playground.ts'

const STAND_IN = join(import.meta.dirname, '../../src/rolebook/playground/browser/node-async-hooks.ts')

const PROGRAM = `
import { AsyncLocalStorage } from 'node:async_hooks'

const context = new AsyncLocalStorage()
const now = () => context.getStore() ?? 'none'
const turn = () => new Promise((resolve) => setImmediate(resolve))

async function* numbered() {
  await turn()
  yield now()
  await turn()
  yield now()
}

const cases = {
  'at once': async () => now(),
  'after an await': async () => (await turn(), now()),
  'after a rejection': async () => {
    await Promise.reject(new Error('no')).catch(() => turn())
    return now()
  },
  'in a finally': async () => {
    let seen
    try { await turn(); throw new Error('no') } catch { await turn() } finally { seen = now() }
    return seen
  },
  'in a timer': () => new Promise((resolve) => setTimeout(() => resolve(now()), 1)),
  'in a microtask': () => new Promise((resolve) => queueMicrotask(() => resolve(now()))),
  'in then': () => turn().then(now),
  'in an async generator': async () => {
    let seen = ''
    for await (const one of numbered()) seen += one + now()
    return seen
  },
  'in all of many': async () => (await Promise.all([turn().then(now), turn().then(now)])).join(''),
  'in a context within it': async () => now() + (await context.run('c', async () => (await turn(), now()))) + now(),
}

async function main() {
  const found = {}
  for (const [name, run] of Object.entries(cases)) {
    found[name] = (await Promise.all(['a', 'b'].map((store) => context.run(store, run)))).join(' ')
  }
  return { ...found, outside: now() }
}

main().then((found) => console.log(JSON.stringify(found)))
`

describe('the context of a run in the page', function () {
  this.timeout(60_000)

  it('goes wherever the code goes', async () => {
    const { outputFiles } = await build({
      stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
      ...{ bundle: true, write: false, format: 'esm', target: 'es2024', supported: LOWERED },
      alias: { 'node:async_hooks': STAND_IN },
    })
    const [bundle] = outputFiles
    const ran = spawnSync(execPath, ['--input-type=module'], { input: bundle?.text, encoding: 'utf8' })
    expect(ran.status, ran.stderr).to.equal(0)
    expect(JSON.parse(ran.stdout)).to.deep.equal({
      'at once': 'a b',
      'after an await': 'a b',
      'after a rejection': 'a b',
      'in a finally': 'a b',
      'in a timer': 'a b',
      'in a microtask': 'a b',
      'in then': 'a b',
      'in an async generator': 'aaaa bbbb',
      'in all of many': 'aa bb',
      'in a context within it': 'aca bcb',
      outside: 'none',
    })
  })
})
