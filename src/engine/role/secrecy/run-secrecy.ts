import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { TracedTaskSource } from '../run/task-tracer.ts'
import { Secrecy } from './secrecy.ts'
import { originAt } from './without-secrets.ts'

const NOTHING = new Secrecy()

/**
 * Redacts with the secrets of the present run, for code that knows nothing of runs: a shared logger, the warnings of a client.
 */
export class RunSecrecy implements Pick<Secrecy, 'redact' | 'redactValue'> {
  readonly #running = new AsyncLocalStorage<() => Secrecy>()

  /** While `work` runs, also after it has waited, what it logs is redacted with `secrecy`. */
  during<T>(secrecy: () => Secrecy, work: () => Promise<T>): Promise<T> {
    return this.#running.run(secrecy, work)
  }

  redact(text: string): string {
    return this.#current.redact(text)
  }

  redactValue(value: JsonValue): JsonValue {
    return this.#current.redactValue(value)
  }

  get #current(): Secrecy {
    return this.#running.getStore()?.() ?? NOTHING
  }
}

/** Remembers the secrets of all runs, even those that the reconciler has forgotten: what was written may be shown later. */
export class AllSecrets extends RunSecrecy {
  readonly texts = new Set<string>()
  /** Names of objects that roles give themselves. They are shown even if a Secret contains the same text. */
  readonly roleNames = new Set<string>()
  /** To be called with what tasks write. */
  readonly onWritten = ({ after }: { readonly after: KubeObject }, task: TracedTaskSource | undefined): void => {
    for (const name of namesGivenByRole(after, task)) this.roleNames.add(name)
  }

  override async during<T>(secrecy: () => Secrecy, work: () => Promise<T>): Promise<T> {
    try {
      return await super.during(secrecy, work)
    } finally {
      for (const text of secrecy().toKeep(false)) this.texts.add(text)
    }
  }
}

/** The namespace and name of an object, if the role itself gives them. They are shown even if a Secret contains the same text. */
function namesGivenByRole({ metadata }: KubeObject, task: TracedTaskSource | undefined): readonly string[] {
  const written = task?.written
  if (!written) return []
  const said = (['namespace', 'name'] as const).filter((field) => originAt(written, ['metadata', field]) === 'role')
  return said.flatMap((field) => metadata[field] ?? [])
}
