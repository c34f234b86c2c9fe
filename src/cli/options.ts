import type { CommandOption } from './command.ts'

/** Flags that more than one command takes: one row each, so that they mean the same everywhere. */
export const PROJECT_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--watches-file <path>',
    description: 'the file that maps kinds to roles',
    environment: 'ROLEBOOK_WATCHES_FILE',
    default: 'watches.yaml',
  },
  {
    flags: '--roles-path <path>',
    description: 'the folder that holds the roles',
    environment: 'ROLEBOOK_ROLES_PATH',
    default: 'roles',
  },
]

export const LOG_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--log-level <level>',
    description: 'the least important lines to print',
    environment: 'ROLEBOOK_LOG_LEVEL',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error'],
  },
  {
    flags: '--log-format <format>',
    description: 'json, one object a line, or text for people',
    environment: 'ROLEBOOK_LOG_FORMAT',
    default: 'text',
    choices: ['json', 'text'],
  },
]

/** For commands that follow changes of the project. */
export const TEARDOWN_OPTION: CommandOption = {
  flags: '--allow-teardown',
  description: 'take over a changed selector even if resources leave it: what was made for them is removed',
}

export const NAMESPACE_OPTION: CommandOption = {
  flags: '--namespace <list>',
  description: 'namespaces to watch, separated by commas (all when left out)',
  environment: 'WATCH_NAMESPACE',
}
