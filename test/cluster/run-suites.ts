/**
 * `npm run test:cluster`: the cluster suites in two processes at once, each with a control plane of its own. Half of the
 * time such suites wait for the clocks of their servers; the other process works meanwhile. Arguments are files to run
 * instead of all.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import process, { argv, env, execPath, stdout } from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { buildBinaries, missingForBinaries } from '../control-plane/binaries.ts'

/** What runs in the first process: the sandbox beside a real server, and what breaks servers. All others run in the second. */
const COMPARISONS = [
  'client-go',
  'contract',
  'controller-runtime',
  'corpora',
  'expired-versions',
  'faults',
  'fields',
  'helm',
  'kubectl',
  'random',
].map((name) => `test/cluster/${name}.test.ts`)

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')

interface Suite {
  readonly output: string
  readonly failed: boolean
}

/** @param print gets what it says, as it says it */
async function runSuites(files: readonly string[], print: (text: string) => void): Promise<Suite> {
  const child = spawn(execPath, [MOCHA, '--require', './test/cluster/shared-control-plane.ts', ...files], {
    env: { ...env, ROLEBOOK_TEST_SERVER: 'control-plane', ...(stdout.isTTY && { FORCE_COLOR: '1' }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, stop)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      print(text)
    })
  }
  const [code] = await once(child, 'close')
  for (const signal of SIGNALS) process.off(signal, stop)
  return { output, failed: code !== 0 }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Holds back what one process says until the other has ended: nobody can read two at once. */
class Later {
  #held: string[] | undefined = []

  readonly print = (text: string): void => {
    if (this.#held) this.#held.push(text)
    else stdout.write(text)
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const text of held) stdout.write(text)
  }
}

/** What mocha says of failed tests, once more: much is printed after it. The line with their number is left to the summary. */
function failuresOf(suites: readonly Suite[]): string {
  const failures = suites.map(
    ({ output }) => /^ *\d+ failing\n([\s\S]*)/m.exec(stripVTControlCharacters(output))?.[1] ?? '',
  )
  const text = failures.join('').trimEnd()
  return text === '' ? '' : `\n  what failed:\n${text}\n`
}

function summaryOf(suites: readonly Suite[], seconds: number): string {
  const lines = suites.flatMap(({ output }) => stripVTControlCharacters(output).split('\n'))
  const sum = (what: string): number =>
    lines.reduce((total, line) => total + Number(new RegExp(`^ *(\\d+) ${what}\\b`).exec(line)?.[1] ?? 0), 0)
  const compared = lines.filter((line) => / \d+ differences, /.test(line)).map((line) => `${line}\n`)
  return `\n${compared.join('')}\n  ${sum('passing')} passed, ${sum('failing')} failed, ${sum('pending')} skipped, ${seconds} s\n`
}

async function runAll(): Promise<readonly Suite[]> {
  const all = globSync(['test/cluster/**/*.test.ts', 'test/scenarios/**/*.test.ts']).sort()
  const later = new Later()
  const others = runSuites(
    all.filter((file) => !COMPARISONS.includes(file)),
    later.print,
  )
  const comparisons = await runSuites(COMPARISONS, (text) => stdout.write(text))
  later.release()
  return [comparisons, await others]
}

const began = performance.now()
// Once, and not by both processes.
if (missingForBinaries() === undefined) buildBinaries()
const files = argv.slice(2)
const suites = files.length > 0 ? [await runSuites(files, (text) => stdout.write(text))] : await runAll()
stdout.write(failuresOf(suites))
stdout.write(summaryOf(suites, Math.round((performance.now() - began) / 1000)))
process.exitCode = suites.some(({ failed }) => failed) ? 1 : 0
