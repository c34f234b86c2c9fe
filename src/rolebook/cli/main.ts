import { basename } from 'node:path'
import process from 'node:process'
import { runProgram } from './run-program.ts'
import { processTerminal } from './terminal.ts'

/** kubectl takes each program of this name as a command of its own. */
const isPlugin = basename(process.argv[1] ?? '') === 'kubectl-rolebook'
const calledAs = isPlugin ? 'kubectl rolebook' : 'rolebook'

process.exitCode = await runProgram(process.argv.slice(2), processTerminal(), calledAs)
