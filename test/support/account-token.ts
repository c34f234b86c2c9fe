import { Agent, request } from 'undici'
import type { ObjectKey } from '../../src/core/kube/object.ts'
import type { ServerAccess } from '../../src/sandbox/cluster/kubeconfig.ts'

/** A token of a ServiceAccount, as the kubelet asks for it. `expirationSeconds` defaults to what the server chooses. */
export async function accountToken(
  { url, token, ca }: ServerAccess,
  { namespace, name }: ObjectKey,
  spec: { readonly expirationSeconds?: number } = {},
): Promise<string> {
  const dispatcher = new Agent({ connect: { ca } })
  const { body } = await request(`${url}/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec }),
    dispatcher,
  })
  const { status } = (await body.json()) as { readonly status: { readonly token: string } }
  await dispatcher.close()
  return status.token
}
