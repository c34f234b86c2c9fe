import type { KubeObject } from '../../../core/kube/object.ts'
import { goneVersion, versionOf } from './own-versions.ts'
import type { Read, Subscription } from './run-reads.ts'

interface RecordedRead {
  readonly read: Read
  readonly versions: string
  readonly uids: string
}

/**
 * Everything that a run depended on: the resource, the role, and what it read, with the versions that it saw.
 *
 * While all of it is as in the last complete run, another run would change nothing and is skipped.
 */
export class RunInputs {
  readonly #fingerprint: string
  readonly #reads = new Map<string, RecordedRead>()

  /** `fingerprint` is a hash of the content of the resource and of the role. */
  constructor(fingerprint: string) {
    this.#fingerprint = fingerprint
  }

  /** Records what was read. A later read replaces an earlier one, so that the writes of the run itself count as known. */
  record(read: Read, seen: readonly KubeObject[]): void {
    this.#reads.set(read.id, { read, versions: versionsOf(seen), uids: uidsOf(seen) })
  }

  /** The run has written an object, which is no news to what it has read of it before. */
  wrote(read: Read, object: KubeObject): void {
    if (this.#reads.has(read.id)) this.record(read, [object])
  }

  get subscriptions(): readonly Subscription[] {
    return [...this.#reads.values()].map(({ read }) => read.subscription)
  }

  async areUnchanged(fingerprint: string): Promise<boolean> {
    if (fingerprint !== this.#fingerprint) return false
    for (const { read, versions } of this.#reads.values()) {
      if (versionsOf(await read.current()) !== versions) return false
    }
    return true
  }

  /**
   * The versions that have appeared since, and the deletions of objects that existed. `undefined` if the resource or its role has changed.
   */
  async news(fingerprint: string): Promise<readonly string[] | undefined> {
    if (fingerprint !== this.#fingerprint) return undefined
    const news: string[] = []
    for (const { read, versions, uids } of this.#reads.values()) {
      const current = await read.current()
      const known = new Set(versions.split(','))
      const present = new Set(current.map(({ metadata }) => metadata.uid))
      news.push(...current.map(versionOf).filter((version) => !known.has(version)))
      news.push(
        ...uids
          .split(',')
          .filter((uid) => uid !== '' && !present.has(uid))
          .map(goneVersion),
      )
    }
    return news
  }

  /**
   * Asks the server whether the objects that were read exist and those that were missing do not. It is called before objects are deleted:
   * a cache that is empty by mistake must not cause deletions.
   */
  async areTrue(): Promise<boolean> {
    for (const { read, uids } of this.#reads.values()) {
      if (read.live && uidsOf(await read.live()) !== uids) return false
    }
    return true
  }
}

function versionsOf(objects: readonly KubeObject[]): string {
  return objects.map(versionOf).sort().join()
}

function uidsOf(objects: readonly KubeObject[]): string {
  return objects
    .map(({ metadata }) => metadata.uid)
    .sort()
    .join()
}
