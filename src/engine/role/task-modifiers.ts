import type { Expression } from '../expression/compile-expression.ts'
import type { Template } from '../expression/compile-template.ts'
import type { GeneratedKey } from './generated-key.ts'

/** The compiled modifiers of a task, defaults filled in. `loop` and `register` are handled around the kind. */
export interface TaskModifiers {
  readonly when?: Expression | undefined
  /** Yields the list. Absent: the task runs once. */
  readonly loop?: Template | undefined
  /** Defaults to `item`. */
  readonly loopVar: string
  readonly register?: string | undefined
  /** `true`: not counted. Absent: the rules of the kind (language, section 5). */
  readonly readyWhen?: Expression | true | undefined
  /** Defaults to false. */
  readonly waitReady?: Expression | boolean | undefined
  /** Yields a duration as text: for how long the task may wait. Defaults to no limit. */
  readonly timeout?: Template | undefined
  /** Yields paths of fields. Defaults to none. */
  readonly handOver?: Template | undefined
  /** Defaults to false. */
  readonly retain: boolean
  /** Defaults to `never`. */
  readonly adopt: 'never' | 'ifUnowned'
  /** Managers whose fields are taken over, sorted. Defaults to none. */
  readonly adoptFrom: readonly string[]
  /** Defaults to `enforce`. */
  readonly drift: 'enforce' | 'once'
  /** Defaults to `fail`. */
  readonly onImmutable: 'fail' | 'recreate'
  /** Defaults to false. */
  readonly force: boolean
  /** Defaults to none. */
  readonly generate: readonly GeneratedKey[]
  /** Whether its values are kept from people. Defaults to false. */
  readonly sensitive: boolean
}
