/**
 * Runs every function of kubectl's own integration scripts on a real server and on the sandbox, both set as upstream sets its
 * own, and prints which passed. Ends with code 1 when one passes on the real one, and not on the sandbox, without a reason
 * in `reasons.ts`, or when a reason no longer holds.
 *
 *     npm run proof:kubectl -- [--only NAME]… [--seconds N] [--sandbox] [--keep]
 *
 * With `--only`, functions of this name; each may take so many seconds, 300 by default. With `--sandbox`, on the sandbox alone.
 * With `--keep`, what each function printed stays on the disk.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { DIFFERENCES, LEFT_OUT } from './reasons.ts'
import { type FunctionResult, functionNames, runFunctions } from './run-functions.ts'
import { type ScriptServer, startReal, startSandbox } from './servers.ts'
import { compareResults, type Results, type Row } from './table.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    only: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '300' },
    sandbox: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const names = values.only.length > 0 ? values.only : functionNames().filter((name) => !Object.hasOwn(LEFT_OUT, name))
const folder = mkdtempSync(join(tmpdir(), 'rolebook-kubectl-'))
try {
  // Both wait for kubectl most of the time: one beside the other takes little longer than one.
  const [sandbox, real] = await Promise.all([
    runOn('sandbox', startSandbox),
    values.sandbox ? undefined : runOn('real', startReal),
  ])
  const rows = compareResults(names, { sandbox, real }, DIFFERENCES)
  for (const row of rows) stdout.write(printRow(row))
  for (const [name, reason] of Object.entries(LEFT_OUT)) stdout.write(`  ${name} is left out: ${reason}\n`)
  stdout.write(`\n${summaryOf(rows, sandbox, real)}\n`)
  process.exitCode = rows.some(({ isUnexpected }) => isUnexpected) ? 1 : 0
} finally {
  if (values.keep) stdout.write(`${folder} holds what each function printed\n`)
  else rmSync(folder, { recursive: true, force: true })
}

/** What failed runs once more, on a server of its own: some functions trip over what a failed one left behind. */
async function runOn(server: string, start: () => Promise<ScriptServer>): Promise<Results> {
  const results = new Map<string, FunctionResult>()
  for (const attempt of ['first', 'second']) {
    const missing = names.filter((name) => !results.get(name)?.passed)
    if (missing.length === 0) break
    for (const result of await runOnce(join(folder, server, attempt), missing, start)) results.set(result.name, result)
  }
  return results
}

async function runOnce(
  at: string,
  functions: readonly string[],
  start: () => Promise<ScriptServer>,
): Promise<readonly FunctionResult[]> {
  const server = await start()
  try {
    return await runFunctions({ port: server.port, folder: at, functions, seconds: Number(values.seconds) })
  } finally {
    await server.stop()
  }
}

function printRow({ name, real, sandbox, reason, isUnexpected }: Row): string {
  return `${isUnexpected ? '!' : ' '} ${name.padEnd(56)} ${real.padEnd(12)} ${sandbox.padEnd(12)} ${reason}\n`
}

function summaryOf(rows: readonly Row[], sandbox: Results, real: Results | undefined): string {
  const passed = (results: Results): number => [...results.values()].filter((result) => result.passed).length
  const realText = real ? `${passed(real)} pass on the real server, ` : ''
  const unexpected = rows.filter(({ isUnexpected }) => isUnexpected).length
  return `${rows.length} functions: ${realText}${passed(sandbox)} on the sandbox, ${unexpected} unexpected`
}
