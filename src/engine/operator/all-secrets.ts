import { RunSecrecy } from '../reconcile/run/run-secrecy.ts'
import type { WriteListener } from '../reconcile/trace/run-tracer.ts'
import { namesGivenByRole } from '../reconcile/trace/traced-fields.ts'
import type { Secrecy } from '../role/secrecy.ts'

/** Remembers the secrets of all runs, even those that the reconciler has forgotten: what was written may be shown later. */
export class AllSecrets extends RunSecrecy {
  readonly texts = new Set<string>()
  /** Names of objects that roles give themselves. They are shown even if a Secret contains the same text. */
  readonly roleNames = new Set<string>()
  /** To be called with what tasks write. */
  readonly onWritten: WriteListener = ({ after }, task) => {
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
