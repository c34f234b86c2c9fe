import { type Reply, textReply } from './reply.ts'
import type { ResourceServer } from './resource-request.ts'

/** What the real server names objects of a table: `pods`, `deployments.apps`. */
function resourceName(table: string): string {
  const [group = '', plural = ''] = table.split('/')
  return group === '' ? plural : `${plural}.${group}`
}

/** `/metrics`: of all that a real server measures, how many objects it stores. */
export function metricsReply({ state }: ResourceServer): Reply {
  const rows = [...state.store.resources()]
    .map((table) => `apiserver_storage_objects{resource="${resourceName(table)}"} ${state.store.table(table).size}\n`)
    .sort()
  const head = '# HELP apiserver_storage_objects Number of stored objects at the time of last check.\n'
  const reply = textReply(`${head}# TYPE apiserver_storage_objects gauge\n${rows.join('')}`)
  return { ...reply, contentType: 'text/plain; version=0.0.4; charset=utf-8' }
}
