import { CommanderError, InvalidArgumentError, Option, Command as Parser } from 'commander'
import type { Command, CommandOption, Invocation } from './command.ts'
import { versionLine } from './program-version.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'
import { SWITCH, type ValueKind } from './value-kind.ts'

export interface CommandLine {
  readonly command: Command
  readonly invocation: Invocation
}

export interface ParseOptions {
  readonly commands: readonly Command[]
  readonly terminal: Terminal
  /** What a person types to call the program. Defaults to `rolebook`. */
  readonly calledAs?: string | undefined
}

/** Arguments to a command and its options; or, when help was asked for or the usage is wrong, just the exit code. */
export function parseCommandLine(args: readonly string[], options: ParseOptions): CommandLine | { exitCode: ExitCode } {
  let found: CommandLine | undefined
  const program = newProgram(options)
  for (const command of options.commands) {
    addCommand(program, command, options).action((...received: unknown[]) => {
      found = {
        command,
        invocation: toInvocation(received.at(-1) as Parser, options.terminal),
      }
    })
  }
  if (args.length === 0) {
    program.outputHelp({ error: true })
    return { exitCode: EXIT.usage }
  }
  try {
    program.parse(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage }
  }
  return found ?? { exitCode: EXIT.usage }
}

function newProgram({ terminal, calledAs = CALLED_AS }: ParseOptions): Parser {
  return (
    new Parser(calledAs)
      .description('A Kubernetes operator whose behaviour lives in YAML: watches.yaml maps kinds to roles.')
      .version(versionLine(), '-V, --version', 'print the version')
      // Commands may have a `--version` of their own.
      .enablePositionalOptions()
      .helpCommand(false)
      .exitOverride()
      .showHelpAfterError(`(try '${calledAs} --help')`)
      .configureOutput(outputOf(terminal))
      .addHelpText('after', EXIT_CODES)
  )
}

const CALLED_AS = 'rolebook'

const EXIT_CODES = `
Exit codes: 0 all went well, 1 it failed while running, 2 wrong usage or configuration, 3 a check found something.`

function addCommand(program: Parser, command: Command, { terminal, calledAs = CALLED_AS }: ParseOptions): Parser {
  const parser = program
    .command(command.name)
    .summary(command.summary)
    .description(command.description)
    .exitOverride()
    .configureOutput(outputOf(terminal))
    .showHelpAfterError(`(try '${calledAs} ${command.name} --help')`)
    .addHelpText('after', examplesText(command, calledAs))
  if (command.arguments !== undefined) parser.arguments(command.arguments)
  for (const option of command.options.flatMap(withOpposite)) parser.addOption(toOption(option))
  return parser
}

/** What is on by default can be switched off by `--no-…`, too. */
function withOpposite(option: CommandOption): readonly CommandOption[] {
  if (option.kind !== SWITCH || option.default !== 'true') return [option]
  return [option, { flags: option.flags.replace('--', '--no-'), description: `the same as ${option.flags}=false` }]
}

function toOption({ flags, description, environment, repeatable, kind, ...rest }: CommandOption): Option {
  const option = new Option(kind === SWITCH ? `${flags} [boolean]` : flags, description)
  if (kind) option.argParser((text) => checked(text, kind))
  if (kind?.words) option.choices(kind.words)
  if (environment !== undefined) option.env(environment)
  if (repeatable) option.argParser((text, former: readonly string[] = []) => [...former, text])
  if (rest.default !== undefined) option.default(rest.default)
  if (rest.choices !== undefined) option.choices(rest.choices)
  return option
}

function checked(text: string, kind: ValueKind<unknown>): string {
  if (kind.parse(text) === undefined) throw new InvalidArgumentError(kind.expected)
  return text
}

function outputOf(terminal: Terminal) {
  return {
    writeOut: (text: string) => terminal.out(text),
    writeErr: (text: string) => terminal.err(text),
  }
}

function examplesText({ examples }: Command, calledAs: string): string {
  return `\nExamples:\n${examples.map((line) => `  ${line.replaceAll(/\brolebook(?= [a-z])/g, calledAs)}`).join('\n')}`
}

function toInvocation(parser: Parser, terminal: Terminal): Invocation {
  const values: Record<string, unknown> = parser.opts()
  const valueFor = (name: string): unknown =>
    values[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
  return {
    terminal,
    files: parser.args,
    text(name) {
      const value = valueFor(name)
      return typeof value === 'string' ? value : undefined
    },
    texts(name) {
      const value = valueFor(name)
      return Array.isArray(value) ? value : []
    },
    given: (name) => String(valueFor(name)),
    flag: (name) => valueFor(name) === true || valueFor(name) === 'true',
  }
}
