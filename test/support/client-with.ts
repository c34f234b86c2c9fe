import type { KubeClient } from '../../src/core/kube/client.ts'

/** A client that does some things in another way. A spread would lose the methods of its class. */
export function clientWith(client: KubeClient, others: Partial<KubeClient>): KubeClient {
  return {
    get: (...given) => client.get(...given),
    list: (...given) => client.list(...given),
    watch: (...given) => client.watch(...given),
    create: (...given) => client.create(...given),
    apply: (...given) => client.apply(...given),
    patch: (...given) => client.patch(...given),
    delete: (...given) => client.delete(...given),
    ...others,
  }
}
