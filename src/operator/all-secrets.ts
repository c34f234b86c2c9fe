import { RunSecrecy } from '../reconcile/run-secrecy.ts'
import type { Secrecy } from '../role/secrecy.ts'

/** What no run may tell, also when the reconciler has forgotten it: what was written stays to be shown. */
export class AllSecrets extends RunSecrecy {
  readonly texts = new Set<string>()

  override async during<T>(secrecy: () => Secrecy, work: () => Promise<T>): Promise<T> {
    try {
      return await super.during(secrecy, work)
    } finally {
      for (const text of secrecy().toKeep(false)) this.texts.add(text)
    }
  }
}
