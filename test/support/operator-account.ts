import { systemClock } from '../../src/base/clock.ts'
import { nopLogger } from '../../src/base/logger.ts'
import { loadBuiltinSchemas } from '../../src/cli/load-builtin-schemas.ts'
import type { Project } from '../../src/config/project.ts'
import { offlineKindNames } from '../../src/generate/kind-names.ts'
import { neededRights } from '../../src/generate/needed-rights.ts'
import { rbacObjects } from '../../src/generate/rbac.ts'
import type { KubeClient } from '../../src/kube/client.ts'
import type { KubeObject } from '../../src/kube/object.ts'
import { type Connection, connect } from '../../src/kube-client/connect.ts'
import { crd, GADGET, type OperatorSandbox, WIDGET } from './operator-sandbox.ts'

const ACCOUNT = { name: 'rolebook', namespace: 'default' }
const NAMES = offlineKindNames([crd(WIDGET), crd(GADGET, { scope: 'Cluster' })], loadBuiltinSchemas())

/** The ServiceAccount of an operator on a sandbox that asks RBAC: it may do what is computed for a project, and nothing else. */
export class OperatorAccount {
  readonly #person: KubeClient
  readonly #connection: Connection

  static async create(sandbox: OperatorSandbox): Promise<OperatorAccount> {
    const { url, token } = sandbox.cluster.access
    await sandbox.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: ACCOUNT })
    const place = `namespaces/${ACCOUNT.namespace}/serviceaccounts/${ACCOUNT.name}`
    const answer = await fetch(`${url}/api/v1/${place}/token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: {} }),
    })
    const { status } = (await answer.json()) as { status: { token: string } }
    const server = { url, token: status.token }
    const connection = await connect({ server, clock: systemClock, logger: nopLogger, userAgent: 'rolebook' })
    return new OperatorAccount(sandbox.client, connection)
  }

  private constructor(person: KubeClient, connection: Connection) {
    this.#person = person
    this.#connection = connection
  }

  get client(): KubeClient {
    return this.#connection.client
  }

  /** Gives it the rights that the project needs, in place of those that it had. */
  async grant(project: Project): Promise<void> {
    const rights = neededRights(project, { namespace: ACCOUNT.namespace, names: NAMES })
    for (const object of rbacObjects(rights, ACCOUNT)) {
      await this.#person.apply(object as object as KubeObject, { fieldManager: 'person', force: true })
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
