import type { ServerUnderTest } from '../contract/server-under-test.ts'

/** What bases refer to, and admission looks for. */
const FIXTURES = [
  ['/apis/node.k8s.io/v1/runtimeclasses', { metadata: { name: 'fields-runtime' }, handler: 'fields' }],
  ['/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'fields-priority' }, value: 1000 }],
] as const

export async function prepareServer({ send }: ServerUnderTest): Promise<void> {
  for (const [path, object] of FIXTURES) {
    await send({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) })
  }
}
