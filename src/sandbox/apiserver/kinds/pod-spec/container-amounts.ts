import type { JsonObject } from '../../../../core/base/json.ts'
import { type Amounts, addAmounts, maxAmounts } from '../common/amounts.ts'
import { itemsAt, objectAt } from '../common/fields.ts'

/**
 * What the containers of a pod take at their most: init containers run one after the other, those that restart beside all
 * that comes later.
 */
export function amountsOfContainers(spec: JsonObject, what: 'requests' | 'limits'): Amounts {
  const amountsOf = (container: JsonObject): Amounts => objectAt(objectAt(container, 'resources'), what) as Amounts
  let running = itemsAt(spec, 'containers').map(amountsOf).reduce(addAmounts, {})
  let beside: Amounts = {}
  let starting: Amounts = {}
  for (const container of itemsAt(spec, 'initContainers')) {
    const amounts = amountsOf(container)
    if (container.restartPolicy === 'Always') {
      running = addAmounts(running, amounts)
      beside = addAmounts(beside, amounts)
      starting = maxAmounts(starting, beside)
    } else starting = maxAmounts(starting, addAmounts(amounts, beside))
  }
  return maxAmounts(running, starting)
}
