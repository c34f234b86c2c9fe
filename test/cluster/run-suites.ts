/**
 * `npm run test:cluster`: the cluster suites in two processes at once, each with a control plane of its own. Half of the
 * time such suites wait for the clocks of their servers; the other process works meanwhile. Arguments are files to run
 * instead of all.
 *
 * `--kube 1.34`, or `ROLEBOOK_TEST_KUBE`, takes the control plane of another version of Kubernetes than the sandbox serves. Then the suites of
 * the operator run alone.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import process, { env, execPath, stdout } from 'node:process'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { buildBinaries, kubeVersion, missingForBinaries, SANDBOX_KUBE_VERSION } from '../control-plane/binaries.ts'
import { FIRST_PROCESS, OPERATOR_SUITES, SHORT_PROOFS } from './cluster-suites.ts'

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

/** Holds back what one process prints until the other has ended: a reader cannot follow both at once. */
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

/** In the order of their names. */
function allFiles(): readonly string[] {
  return globSync(['test/cluster/**/*.test.ts', 'test/scenarios/**/*.test.ts', ...SHORT_PROOFS]).sort()
}

async function runAll(): Promise<readonly Suite[]> {
  const later = new Later()
  const others = runSuites(
    allFiles().filter((file) => !FIRST_PROCESS.includes(file)),
    later.print,
  )
  const first = await runSuites(FIRST_PROCESS, (text) => stdout.write(text))
  later.release()
  return [first, await others]
}

async function runOnOtherVersion(): Promise<readonly Suite[]> {
  const leftOut = allFiles().filter((file) => !OPERATOR_SUITES.includes(file))
  const reason = `they are about Kubernetes ${SANDBOX_KUBE_VERSION}, which the sandbox serves, or about no server`
  stdout.write(`SKIPPED on Kubernetes ${kubeVersion()}: ${reason}:\n${leftOut.map((file) => `  ${file}\n`).join('')}`)
  return [await runSuites(OPERATOR_SUITES, (text) => stdout.write(text))]
}

function runWanted(files: readonly string[]): Promise<readonly Suite[]> {
  if (files.length > 0) return runSuites(files, (text) => stdout.write(text)).then((suite) => [suite])
  return kubeVersion() === SANDBOX_KUBE_VERSION ? runAll() : runOnOtherVersion()
}

const began = performance.now()
const { values, positionals } = parseArgs({ allowPositionals: true, options: { kube: { type: 'string' } } })
// For the processes of the suites, too.
if (values.kube !== undefined) env.ROLEBOOK_TEST_KUBE = values.kube
// Once, and not by both processes.
if (missingForBinaries() === undefined) buildBinaries()
const suites = await runWanted(positionals)
stdout.write(failuresOf(suites))
stdout.write(summaryOf(suites, Math.round((performance.now() - began) / 1000)))
process.exitCode = suites.some(({ failed }) => failed) ? 1 : 0
