import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { ApiServer } from '../../../../src/sandbox/apiserver/api-server.ts'
import { ObjectStore } from '../../../../src/sandbox/apiserver/store/object-store.ts'
import { DataFolder } from '../../../../src/sandbox/cluster/data-folder/data-folder.ts'
import { builtinSchemas } from '../../../sandbox/apiserver/sandbox.ts'

/** A server whose state is kept in a folder, without HTTP. */
export class KeptSandbox {
  readonly folder: DataFolder
  readonly server: ApiServer

  constructor(path: string, compactAfter?: number) {
    const clock = new FakeClock()
    this.folder = new DataFolder(path, { clock, logger: nopLogger, compactAfter })
    try {
      this.server = new ApiServer({ schemas: builtinSchemas(), clock, workloads: false, journal: this.folder })
    } catch (error) {
      void this.folder.close()
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.server.stop()
    await this.folder.close()
  }
}

/** A store whose state is kept in a folder. */
export class KeptStore {
  readonly folder: DataFolder
  readonly store: ObjectStore

  constructor(path: string, options: { readonly compactAfter?: number } = {}) {
    this.folder = new DataFolder(path, { clock: new FakeClock(), logger: nopLogger, ...options })
    try {
      this.store = new ObjectStore(undefined, this.folder)
    } catch (error) {
      void this.folder.close()
      throw error
    }
  }

  /** Everything that is kept, to compare. */
  contents(): JsonObject {
    const { revision, objects } = this.store.state()
    return { revision, objects: objects.map(({ object }) => object as JsonObject) }
  }

  put(name: string, data: JsonObject): void {
    this.store.put('/configmaps', note(name, data))
  }

  remove(name: string): void {
    const stored = this.store.get('/configmaps', 'default', name)
    if (stored) this.store.remove(stored)
  }
}

function note(name: string, data: JsonObject): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', uid: name }, data }
}
