import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { offlineKindNames } from '../../src/rolebook/generate/kind-names.ts'
import { neededRights } from '../../src/rolebook/generate/needed-rights.ts'
import { rbacObjects } from '../../src/rolebook/generate/rbac.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { accountToken } from './account-token.ts'
import type { OperatorSandbox } from './operator-sandbox.ts'

const ACCOUNT = { name: 'rolebook', namespace: 'default' }
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }

/** The ServiceAccount of an operator on a sandbox that asks RBAC: it may do what is computed for a project, and nothing else. */
export class OperatorAccount {
  readonly connection: Connection
  readonly #person: KubeClient

  static async create(sandbox: OperatorSandbox): Promise<OperatorAccount> {
    const { access } = sandbox
    await sandbox.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: ACCOUNT })
    const server = { url: access.url, token: await accountToken(access, ACCOUNT) }
    const connection = await connect({ server, clock: systemClock, logger: nopLogger, userAgent: 'rolebook' })
    return new OperatorAccount(sandbox.client, connection)
  }

  private constructor(person: KubeClient, connection: Connection) {
    this.#person = person
    this.connection = connection
  }

  get client(): KubeClient {
    return this.connection.client
  }

  /** Gives it the rights that the project needs, in place of those that it had. Kinds are known by the CRDs of the sandbox. */
  async grant(project: Project): Promise<void> {
    const { items } = await this.#person.list(CRD)
    const names = offlineKindNames(items as readonly object[] as [], loadBuiltinSchemas())
    const rights = neededRights(project, { namespace: ACCOUNT.namespace, names })
    for (const object of rbacObjects(rights, ACCOUNT)) {
      await this.#person.apply(object as object as KubeObject, { fieldManager: 'person', force: true })
    }
  }

  close(): Promise<void> {
    return this.connection.close()
  }
}
