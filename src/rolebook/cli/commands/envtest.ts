import { realpathSync } from 'node:fs'
import process from 'node:process'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { ETCD_FLAGS, runEtcd } from '../envtest/etcd.ts'
import { APISERVER_FLAGS, runApiServer } from '../envtest/kube-apiserver.ts'
import { ProgramFlags } from '../envtest/program-flags.ts'
import { stopWithParent } from '../envtest/stop-with-parent.ts'
import { PROGRAMS, type ProgramName, writeLaunchers } from '../envtest/write-launchers.ts'
import { newLogger } from '../new-logger.ts'
import { LOG_OPTIONS } from '../options.ts'
import { versionLine } from '../program-version.ts'
import { EXIT, type ExitCode } from '../terminal.ts'

export const envtestCommand: Command = {
  name: 'envtest',
  summary: 'a folder for KUBEBUILDER_ASSETS, so that tests of Go projects run on the sandbox',
  description:
    'Writes kube-apiserver and etcd into the folder, and a link to kubectl where PATH has one. The tests of a Go project ' +
    "that use controller-runtime's envtest then run unchanged, on the API server of the sandbox. Prints the path of the folder.",
  arguments: '[dir] [flags...]',
  options: [
    {
      flags: '--run <program>',
      description: 'what the programs in the folder do: be one of them, with the flags that stand behind `--`',
      choices: PROGRAMS,
    },
    ...LOG_OPTIONS,
  ],
  examples: ['KUBEBUILDER_ASSETS=$(npx rolebook envtest bin/envtest) go test ./...'],
  async run(invocation) {
    const program = invocation.text('run') as ProgramName | undefined
    if (program !== undefined) return runAs(program, invocation)
    const [dir, ...others] = invocation.files
    if (dir === undefined || others.length > 0) throw new UsageError('cannot write a folder: name one')
    const caller = {
      node: process.execPath,
      program: realpathSync(process.argv[1] ?? ''),
      path: invocation.terminal.environment.PATH ?? '',
      helps: { 'kube-apiserver': helpOf('kube-apiserver'), etcd: helpOf('etcd') },
    }
    invocation.terminal.out(`${writeLaunchers(dir, caller)}\n`)
    return EXIT.ok
  },
}

const FLAGS: Readonly<Record<ProgramName, Readonly<Record<string, string>>>> = {
  'kube-apiserver': APISERVER_FLAGS,
  etcd: ETCD_FLAGS,
}

async function runAs(program: ProgramName, invocation: Invocation): Promise<ExitCode> {
  const { terminal, files } = invocation
  const flags = new ProgramFlags(files)
  if (flags.has('help')) terminal.out(helpOf(program))
  else if (flags.has('version')) terminal.out(`${versionLine()}, in place of ${program}\n`)
  else await serve(program, flags, invocation)
  return EXIT.ok
}

async function serve(program: ProgramName, flags: ProgramFlags, invocation: Invocation): Promise<void> {
  const stopped = stopWithParent(invocation.terminal.stopped)
  if (program === 'etcd') return runEtcd(flags, { stopped })
  const logger = newLogger(invocation, (text) => invocation.terminal.err(text))
  return runApiServer(flags, { stopped, logger })
}

/** envtest looks here for the flags that it may give. The scripts in the folder know it by heart. */
function helpOf(program: ProgramName): string {
  const rows = Object.entries(FLAGS[program]).map(([name, meaning]) => `      --${name.padEnd(28)} ${meaning}\n`)
  return `${program} of rolebook envtest. Other flags than these have no effect:\n\n${rows.join('')}`
}
