import type { ExitCode, Terminal } from './terminal.ts'
import type { ValueKind } from './value-kind.ts'

/** A command of the program as data: `main` turns it into usage, help and parsing. */
export interface Command {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** What a person should know before using it: shown by `--help`. */
  readonly description: string
  /** `[files...]` or `<from> <dir>`, as commander writes arguments. */
  readonly arguments?: string
  readonly options: readonly CommandOption[]
  /** Lines to copy, shown at the end of `--help`. */
  readonly examples: readonly [string, ...string[]]
  run(invocation: Invocation): Promise<ExitCode>
}

export interface CommandOption {
  /** As commander writes them: `--watches-file <path>`. */
  readonly flags: string
  readonly description: string
  /** Environment variable that stands in for the flag. */
  readonly environment?: string
  readonly default?: string
  readonly choices?: readonly string[]
  /** What its text means: any other text is refused before the command runs. Defaults to any text. */
  readonly kind?: ValueKind<unknown>
  /** Whether it may be given more than once. Defaults to false. */
  readonly repeatable?: boolean
}

export interface Invocation {
  readonly terminal: Terminal
  readonly files: readonly string[]
  /** Text of an option, or its default. */
  text(name: string): string | undefined
  /** Texts of an option that is repeatable, in their order. */
  texts(name: string): readonly string[]
  /** Text of an option that has a default. */
  given(name: string): string
  /** Whether a flag without a value was given, or with `true`. */
  flag(name: string): boolean
}

/** Wrong usage that only the command can see. Printed with a hint to `--help`; exit code 2. */
export class UsageError extends Error {}
